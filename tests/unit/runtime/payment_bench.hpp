#pragma once

#include "core/envelope.hpp"
#include "core/short_name.hpp"
#include "core/subject.hpp"
#include "core/uuid.hpp"
#include "memory/memory_broker.hpp"
#include "memory/memory_store.hpp"
#include "payment/payment.hpp"
#include "runtime/polling_source.hpp"
#include "runtime/service.hpp"
#include "shop/payment/v1/payment.quadrille.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace quadrille {

/// A participant with the contract of payment whose steps do what a test says.
class ScriptedPayment final : public ::shop::payment::v1::PaymentSteps<::shop::payment::Payment> {
 public:
  using State = ::shop::payment::Payment;

  ::shop::payment::v1::AuthorizeOutcome authorize(const ::shop::order::v1::OrderPlaced& placed, const State& state,
                                                  Step& step) override {
    ++calls;
    if (before) before(placed.order_id());
    if (state.stage != ::shop::payment::Stage::none) return step.already_recorded();
    ::shop::payment::v1::AuthorizeOutcome outcome;
    if (say_nothing) return outcome;
    if (wrong_key) outcome.mutable_authorized()->set_order_id("somebody else's");
    outcome.mutable_authorized()->set_item(std::string(item_bytes, 'x'));
    return outcome;
  }
  ::shop::payment::v1::LapseOutcome lapse(const v1::Timer&, const State&, Step&) override {
    ++lapses;
    if (before) before("lapse");
    ::shop::payment::v1::LapseOutcome outcome;
    if (lapse_for_good)
      outcome.mutable_lapsed();
    else
      outcome.mutable_settled();
    return outcome;
  }
  ::shop::payment::v1::VoidOutcome void_(const ::shop::inventory::v1::StockRefused& refused, const State& state,
                                         Step& step) override {
    ++calls;
    if (before) before(refused.order_id());
    if (state.stage == ::shop::payment::Stage::voided) return step.already_recorded();
    ::shop::payment::v1::VoidOutcome outcome;
    outcome.mutable_voided();
    return outcome;
  }
  ::shop::payment::v1::CaptureOutcome capture(const ::shop::inventory::v1::StockReserved&, const State& state,
                                              Step& step) override {
    if (state.stage != ::shop::payment::Stage::authorized) throw NotYet("nothing is authorized");
    if (state.stage == ::shop::payment::Stage::captured) return step.already_recorded();
    ::shop::payment::v1::CaptureOutcome outcome;
    outcome.mutable_captured();
    return outcome;
  }

  std::function<void(const std::string& key)> before;  ///< may throw
  std::size_t item_bytes = 1;
  bool say_nothing = false;
  bool lapse_for_good = false;
  bool wrong_key = false;
  std::atomic<int> calls{0};
  std::atomic<int> lapses{0};
};

/// One running instance of the scripted participant on ports in memory.
class PaymentBench : public ::testing::Test, public runtime::Stopper {
 protected:
  void start() {
    service_ = std::make_unique<runtime::Service>(part(), edge_, store_, source_, broker_, clock_, log_, instruments_,
                                                  *this, settings_);
  }
  void stop() { service_.reset(); }
  runtime::Service& service() { return *service_; }
  void TearDown() override { stop(); }
  void stop_because(const std::string& reason) override { stopped_because_ = reason; }

  runtime::Part& part() {
    if (!part_) part_ = std::make_unique<runtime::Part>(payment_, settings_.timeouts);
    return *part_;
  }

  /// An event of somebody else about order `key`.
  template <class Type>
  static Event event(Type content, const std::string& context, const std::string& aggregate, const std::string& key,
                     std::uint64_t version) {
    content.set_order_id(key);
    Event result;
    result.id = new_uuid();
    result.type = content.GetTypeName();
    result.source = context;
    result.subject = event_subject(key, context, aggregate, content.GetDescriptor()->name());
    result.stream = {aggregate, key};
    result.version = version;
    result.saga_id = "saga-" + key;
    result.hops = 1;
    result.recorded_at = SystemClock().now();
    result.payload = content.SerializeAsString();
    return result;
  }
  static Event placed(const std::string& key, std::uint64_t version = 1) {
    return event(::shop::order::v1::OrderPlaced(), "order", "order", key, version);
  }
  static Event confirmed(const std::string& key, std::uint64_t version) {
    return event(::shop::order::v1::OrderConfirmed(), "order", "order", key, version);
  }
  static Event refused(const std::string& key, std::uint64_t version = 1) {
    return event(::shop::inventory::v1::StockRefused(), "inventory", "reservation", key, version);
  }

  void publish(const Event& event) { publish(to_message(event)); }
  void publish(const Message& message) {
    for (const auto answer : broker_.publish(std::span(&message, 1))) ASSERT_EQ(answer, Published::stored);
  }

  void publish_whatever_it_answers(const Event& event) {
    const auto message = to_message(event);
    static_cast<void>(broker_.publish(std::span(&message, 1)));
  }
  std::size_t outbox() {
    const auto transaction = store_.begin();
    return transaction->outbox().oldest(1'000).size();
  }

  /// Names of the events recorded for an order so far.
  std::vector<std::string> recorded(const std::string& key) {
    const auto transaction = store_.begin();
    const StreamName stream{"payment", key};
    std::vector<std::string> names;
    const auto histories = transaction->events().load(std::span(&stream, 1));
    if (!histories.contains(stream)) return names;
    for (const auto& found : histories.at(stream)) names.push_back(short_name(found.type));
    return names;
  }
  std::uint64_t applied(const StreamName& stream) {
    const auto transaction = store_.begin();
    const auto versions = transaction->inbox().applied("payment", std::span(&stream, 1));
    return versions.contains(stream) ? versions.at(stream) : 0;
  }
  /// What waits, by message id: looked at far in the future, where everything but what is parked is due.
  bool waits(const StreamName& stream) {
    const auto transaction = store_.begin();
    return transaction->inbox().waiting_streams("payment", std::span(&stream, 1)).contains(stream);
  }

  template <class Condition>
  static ::testing::AssertionResult eventually(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) return ::testing::AssertionFailure() << "it never came";
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return ::testing::AssertionSuccess();
  }

  using Names = std::vector<std::string>;
  ScriptedPayment payment_;
  SystemClock clock_;
  memory::MemoryStore store_{clock_};
  runtime::PollingSource source_{store_};
  memory::MemoryBroker broker_;
  telemetry::Log log_{"payment", telemetry::Level::error, telemetry::Format::text};
  telemetry::Instruments instruments_{"payment"};
  Edge edge_;
  runtime::Settings settings_ = [] {
    runtime::Settings settings;
    settings.instance = "bench";
    settings.first_retry = std::chrono::milliseconds(5);
    settings.max_attempts = 3;
    return settings;
  }();
  std::optional<std::string> stopped_because_;

 private:
  std::unique_ptr<runtime::Part> part_;
  std::unique_ptr<runtime::Service> service_;
};

}  // namespace quadrille
