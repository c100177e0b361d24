#pragma once

#include "quadrille/participant.hpp"

#include <google/protobuf/message.h>

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// A whole saga as a test: no server, no thread, and hours pass in milliseconds.
namespace quadrille::testing {

/// Where a saga stands, told from what its participants have recorded.
enum class SagaState {
  unknown,       ///< nothing of it was recorded
  running,       ///< none of the others
  compensating,  ///< something failed, or is being undone, and not all is undone yet
  completed,     ///< its good end was said
  cancelled,     ///< its undone end was said, and what was done is undone
  stuck,         ///< a step of it waits for a person
};
std::ostream& operator<<(std::ostream& out, SagaState state);

/// Several participants on a broker and databases in memory and on virtual time. What delivers, orders, retries, times
/// out and publishes is the code that runs in production; it is driven one step at a time, so a test does the same each
/// time it runs.
///
///   Choreography shop;
///   shop.add<OrderService>().add<PaymentService>().add<InventoryService>().add<ShippingService>();
///   shop.resource("payment", "account/alice", 500).resource("inventory", "item/clock", 1);
///   shop.away("inventory");
///   const auto saga = shop.when(place_order);
///   shop.advance(16min).back("inventory").advance(1min);
///   shop.expect_state(saga, SagaState::cancelled);
///
/// Each call lets everything happen that can without time going on. What does not hold, or cannot be done, is thrown as
/// std::runtime_error, with what was said instead; every test framework reports it. Not thread-safe.
class Choreography {
 public:
  /// `seed`: of ids and jitter. The same seed, the same run.
  explicit Choreography(std::uint64_t seed = 1);
  ~Choreography();
  Choreography(const Choreography&) = delete;
  Choreography& operator=(const Choreography&) = delete;

  /// A participant takes part.
  template <class Service>
  Choreography& add() {
    return add(std::make_unique<Service>());
  }
  Choreography& add(std::unique_ptr<Participant> participant);
  /// Adds to what there is of a counted resource at a participant.
  Choreography& resource(const std::string& participant, std::string_view name, std::int64_t amount);

  /// A command arrives at the edge of its participant; the saga it begins.
  std::string when(const google::protobuf::Message& command);
  /// Time passes; what is due meanwhile happens, each at its time.
  Choreography& advance(std::chrono::milliseconds length);

  /// The participant stops in good order; what is for it waits at the broker.
  Choreography& away(const std::string& participant);
  /// It starts again.
  Choreography& back(const std::string& participant);
  /// It is killed and starts anew at once: it has to wait for its own leases, and what it had in hand comes again.
  Choreography& crash(const std::string& participant);
  /// The next calls of a step (its rpc name) throw; the message is tried again after a while.
  Choreography& fail(const std::string& participant, const std::string& step, std::uint32_t times,
                     const std::string& what = "fails as the test wants it");
  /// A person has everything tried again that waits for one at a participant: also an orchestrated saga that it
  /// conducts.
  Choreography& retry(const std::string& participant);
  /// From now on everybody gets each message of that event twice.
  template <class Event>
  Choreography& duplicate() {
    return duplicate_event(Event::descriptor()->full_name());
  }
  /// The next message of that event gets lost on its way to each who hears it, and comes again after so long: behind
  /// what was published meanwhile.
  template <class Event>
  Choreography& delay(std::chrono::milliseconds length) {
    return delay_event(Event::descriptor()->full_name(), length);
  }
  /// From now on deliveries are doubled, or lost and repeated up to a minute later, as the seed has it.
  Choreography& disorder(std::uint64_t seed);

  [[nodiscard]] SagaState state(const std::string& saga_id);
  void expect_state(const std::string& saga_id, SagaState expected);
  /// What was said in a saga, `payment.PaymentAuthorized`, each after its cause.
  [[nodiscard]] std::vector<std::string> said(const std::string& saga_id);
  /// Exactly this was said in the saga, in this order.
  void expect_said(const std::string& saga_id, const std::vector<std::string>& expected);
  /// What is free (total - held), and what is held, of a resource at a participant; 0 where there is none.
  [[nodiscard]] std::int64_t free(const std::string& participant, std::string_view resource);
  [[nodiscard]] std::int64_t held(const std::string& participant, std::string_view resource);
  /// Why messages of a participant wait for a person, one entry each.
  [[nodiscard]] std::vector<std::string> stuck(const std::string& participant);
  /// Every committed event is at the broker.
  [[nodiscard]] bool all_published();

 private:
  Choreography& duplicate_event(const std::string& type);
  Choreography& delay_event(const std::string& type, std::chrono::milliseconds length);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quadrille::testing
