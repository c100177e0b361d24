#pragma once

#include "core/broker.hpp"
#include "core/clock.hpp"
#include "memory/switchboard.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::memory {

/// A Broker in memory, for tests: one stream, durables with filters, acknowledgement times on the clock's steady()
/// time. Passes the same contract suite as the one on JetStream. Thread-safe; outlives its receivers.
class MemoryBroker final : public Broker {
 public:
  /// The clock outlives the broker.
  explicit MemoryBroker(const Clock& clock = system_clock()) : clock_(clock) {}

  void ensure(const Topology& topology) override;
  [[nodiscard]] std::vector<Published> publish(std::span<const Message> messages) override;
  [[nodiscard]] std::unique_ptr<Receiver> receiver() override;
  [[nodiscard]] std::unique_ptr<Serving> serve(const std::string& subject, const std::string& group,
                                               Answerer answer) override;
  [[nodiscard]] std::vector<std::string> ask(const std::string& subject, const std::string& question,
                                             std::size_t enough, std::chrono::milliseconds longest) override;
  [[nodiscard]] std::vector<ConsumerProgress> progress(std::span<const std::string> consumers) override;
  [[nodiscard]] std::size_t max_message_bytes() const override { return 1 << 20; }
  [[nodiscard]] bool connected() const override { return true; }

  /// Faults. The next `count` publications are stored but answered `unknown`.
  void lose_answers(std::size_t count);
  /// The next `count` acknowledgements are lost.
  void lose_acks(std::size_t count);
  /// Everything that is not acknowledged is delivered again now, newest first.
  void redeliver_in_reverse();
  /// Everything ever delivered to the durable is delivered again, acknowledged or not.
  void repeat_all(const std::string& consumer);

  /// Somebody deletes a durable: it is there again, from then on, when it is ensured.
  void delete_durable(const std::string& consumer);

  /// What becomes of one delivery on its way.
  struct Fate {
    std::optional<std::chrono::milliseconds> lost{};  ///< it does not arrive, and comes again after so long
    bool twice = false;                               ///< it comes again at once, too
  };
  /// Decides that of each delivery from now on. Called with the broker locked: it may not use it.
  using Fates = std::function<Fate(const std::string& consumer, const Message& message)>;
  void decide_fates(Fates fates);
  /// Called at each of these moments, outside of the broker's lock; may throw, as the process's end would.
  enum class Moment { before_publish, after_publish, before_ack, after_ack };
  void on_moment(std::function<void(Moment)> call) { on_moment_ = std::move(call); }

  /// How often something has changed: publications, deliveries, acknowledgements.
  [[nodiscard]] std::uint64_t changes() const;
  /// When the next delivery that was not acknowledged comes again.
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> next_redelivery() const;
  /// Everything published so far.
  [[nodiscard]] std::vector<Message> messages() const;

 private:
  friend class MemoryReceiver;
  using Time = std::chrono::steady_clock::time_point;
  struct Durable {
    ConsumerSpec spec;
    std::vector<std::string> filter;        ///< its tokens
    std::uint64_t next = 1;                 ///< sequence of the next message to look at
    std::map<std::uint64_t, Time> unacked;  ///< when each is delivered again
    std::map<std::uint64_t, std::uint32_t> deliveries;
    std::vector<std::uint64_t> again;  ///< to deliver before anything new
    std::uint64_t made = 0;            ///< as the how manieth
  };

  [[nodiscard]] std::vector<Published> store(std::span<const Message> messages);
  [[nodiscard]] bool next_delivery(const std::string& consumer, Delivery& delivery);

  void reached(Moment moment) const {
    if (on_moment_) on_moment_(moment);
  }

  const Clock& clock_;
  Switchboard switchboard_;
  mutable std::mutex mutex_;
  Fates fates_;
  std::function<void(Moment)> on_moment_;
  std::uint64_t changes_ = 0;
  std::condition_variable published_;
  std::string stream_;
  std::vector<Message> messages_;                   ///< by sequence, from 1
  std::vector<std::vector<std::string>> subjects_;  ///< of the messages, in tokens
  std::set<std::string> ids_;
  std::map<std::string, Durable> durables_;
  std::uint64_t durables_made_ = 0;
  std::size_t answers_to_lose_ = 0;
  std::size_t acks_to_lose_ = 0;
};

}  // namespace quadrille::memory
