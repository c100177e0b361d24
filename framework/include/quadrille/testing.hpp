#pragma once

#include "quadrille/participant.hpp"

#include <google/protobuf/message.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// given / when / then for the steps of a participant: no server, no thread, no clock of its own.
namespace quadrille::testing {

/// The untyped half of Scenario. Not thread-safe. What is expected and does not hold is thrown as std::runtime_error
/// with what was said instead, which every test framework reports.
class ScenarioBase {
 public:
  explicit ScenarioBase(Participant& participant);
  ~ScenarioBase();
  ScenarioBase(const ScenarioBase&) = delete;
  ScenarioBase& operator=(const ScenarioBase&) = delete;

  void add_resource(std::string_view resource, std::int64_t total);
  void record(const google::protobuf::Message& event);
  void trigger(const google::protobuf::Message& trigger);
  void fire(const std::string& timer_step, const std::string& key);
  void expect(const std::vector<const google::protobuf::Message*>& events);
  void expect_among(const std::vector<const google::protobuf::Message*>& events);
  void expect_not_yet();
  /// What is free (total - held) of a resource.
  [[nodiscard]] std::int64_t free(std::string_view resource);
  /// The timer steps that the last step armed, in order.
  [[nodiscard]] std::vector<std::string> armed();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One aggregate's story:
///
///   Scenario<PaymentService> scenario;
///   scenario.resource("account/alice", 500).when(placed).then(authorized);
///
/// The framework fills unset key fields, in what is expected too. All in one saga.
template <class Service>
class Scenario {
 public:
  /// A counted resource with that total.
  Scenario& resource(std::string_view name, std::int64_t total) {
    base_.add_resource(name, total);
    return *this;
  }
  /// The participant recorded these before.
  template <class... Events>
  Scenario& given(const Events&... events) {
    (base_.record(events), ...);
    return *this;
  }
  /// An event it hears, or a command, arrives: every step it starts is run.
  Scenario& when(const google::protobuf::Message& trigger) {
    base_.trigger(trigger);
    return *this;
  }
  /// The clock starts a timer step.
  Scenario& when_timer(const std::string& step, const std::string& key) {
    base_.fire(step, key);
    return *this;
  }
  /// Exactly these were recorded since `when`; none: nothing new was said.
  template <class... Events>
  Scenario& then(const Events&... events) {
    base_.expect({&events...});
    return *this;
  }
  /// These were recorded since `when`, in this order, and perhaps others: for one step of several that hear an event.
  template <class... Events>
  Scenario& then_among(const Events&... events) {
    base_.expect_among({&events...});
    return *this;
  }
  /// The step threw NotYet: it will be handed the same event again.
  Scenario& then_not_yet() {
    base_.expect_not_yet();
    return *this;
  }
  [[nodiscard]] std::int64_t free(std::string_view name) { return base_.free(name); }
  [[nodiscard]] std::vector<std::string> armed() { return base_.armed(); }

 private:
  Service service_;
  ScenarioBase base_{service_};
};

}  // namespace quadrille::testing
