// Events of old, by their bytes, read by a participant of today: from its event store, from the broker, and from a
// case.
#include "casefile/case_events.hpp"
#include "casefile/report_text.hpp"
#include "core/short_name.hpp"
#include "core/uuid.hpp"
#include "legacy/v1/legacy.pb.h"
#include "memory/memory_store.hpp"
#include "payment/payment_service.hpp"
#include "quadrille/error.hpp"
#include "rerun/rerun.hpp"
#include "runtime/event_handler.hpp"
#include "runtime/part.hpp"
#include "runtime/unit_of_work.hpp"

#include <gtest/gtest.h>

#include <span>

namespace quadrille {
namespace {

namespace payment = ::shop::payment;

/// order_id 42, reason "no"
const std::string voided_bytes(
    "\x0a\x02"
    "42"
    "\x12\x02"
    "no");
/// order_id 42, customer_id ann, amount_cents 300
const std::string taken_bytes(
    "\x0a\x02"
    "42"
    "\x12\x03"
    "ann"
    "\x18\xac\x02");
/// order_id 42, customer_id ann, quantity 2, in_stock
const std::string order_taken_bytes(
    "\x0a\x02"
    "42"
    "\x12\x03"
    "ann"
    "\x18\x02\x20\x01");

/// The payment of today, which has seen the shop's beginnings.
class OldHand : public payment::v1::PaymentSteps<payment::Payment> {
 public:
  payment::v1::AuthorizeOutcome authorize(const ::shop::order::v1::OrderPlaced& placed, const payment::Payment&,
                                          Step&) override {
    payment::v1::AuthorizeOutcome outcome;
    outcome.mutable_authorized()->set_customer_id(placed.customer_id());
    return outcome;
  }
  payment::v1::LapseOutcome lapse(const v1::Timer&, const payment::Payment&, Step&) override { return {}; }
  payment::v1::VoidOutcome void_(const ::shop::inventory::v1::StockRefused& refused, const payment::Payment& state,
                                 Step& step) override {
    if (state.stage == payment::Stage::voided) return step.already_recorded();
    payment::v1::VoidOutcome outcome;
    outcome.mutable_voided()->set_reason(refused.reason());
    return outcome;
  }
  payment::v1::CaptureOutcome capture(const ::shop::inventory::v1::StockReserved& reserved,
                                      const payment::Payment& state, Step&) override {
    if (state.stage != payment::Stage::authorized) throw NotYet("nothing is authorized");
    payment::v1::CaptureOutcome outcome;
    outcome.mutable_captured()->set_quantity(reserved.quantity());
    return outcome;
  }
  void upcasters(Upcasters& all) const override {
    all.renamed<payment::v1::PaymentVoided>("shop.payment.v1.PaymentTakenBack");
    all.renamed<::shop::inventory::v1::StockRefused>("shop.stock.v1.OutOfStock");
    all.split<legacy::v1::PaymentTaken>([](const legacy::v1::PaymentTaken& old, Today& today) {
      payment::v1::PaymentAuthorized authorized;
      authorized.set_order_id(old.order_id());
      authorized.set_customer_id(old.customer_id());
      authorized.set_amount_cents(old.amount_cents());
      payment::v1::PaymentCaptured captured;
      captured.set_order_id(old.order_id());
      today.add(std::move(authorized));
      today.add(std::move(captured));
    });
    all.split<legacy::v1::OrderTaken>([](const legacy::v1::OrderTaken& old, Today& today) {
      ::shop::order::v1::OrderPlaced placed;
      placed.set_order_id(old.order_id());
      placed.set_customer_id(old.customer_id());
      today.add(std::move(placed));
      if (!old.in_stock()) return;
      ::shop::inventory::v1::StockReserved reserved;
      reserved.set_order_id(old.order_id());
      reserved.set_quantity(old.quantity());
      today.add(std::move(reserved));
    });
  }
};

class StoppedClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return TimePoint(std::chrono::hours(1)); }
};

Event recorded(const std::string& type, const std::string& payload, const std::string& source, StreamName stream,
               std::uint64_t version = 1) {
  Event event;
  event.id = new_uuid();
  event.type = type;
  event.source = source;
  event.stream = std::move(stream);
  event.version = version;
  event.saga_id = "saga";
  event.payload = payload;
  event.recorded_at = TimePoint(std::chrono::minutes(static_cast<int>(version)));
  return event;
}

class Upcast : public ::testing::Test {
 protected:
  void store(const std::vector<Event>& events) {
    const auto transaction = store_.begin();
    transaction->events().append(events);
    transaction->commit();
  }
  payment::Stage stage() {
    const auto transaction = store_.begin();
    runtime::UnitOfWork unit(part_, *transaction, {}, clock_.now());
    const auto* aggregate = unit.state("42");
    if (aggregate == nullptr) return payment::Stage::none;
    return dynamic_cast<const AggregateOf<payment::Payment, payment::v1::PaymentAuthorized,
                                          payment::v1::PaymentDeclined, payment::v1::AuthorizationLapsed,
                                          payment::v1::PaymentVoided, payment::v1::PaymentCaptured>&>(*aggregate)
        .state()
        .stage;
  }
  std::vector<std::string> hear(const Event& event) {
    const telemetry::Log log("test", telemetry::Level::error, telemetry::Format::text);
    const runtime::EventHandler handler(part_, log);
    EXPECT_EQ(handler.keys(event), std::set<std::string>{"42"});
    EXPECT_TRUE(part_.knows(event.type)) << "else it is parked";
    const auto transaction = store_.begin();
    runtime::UnitOfWork unit(part_, *transaction, {}, clock_.now());
    handler.handle(event, unit);
    std::vector<std::string> said;
    for (const auto& [key, events] : unit.said())
      for (const auto& one : events) said.push_back(short_name(one.type));
    unit.flush();
    transaction->commit();
    return said;
  }

  StoppedClock clock_;
  OldHand participant_;
  runtime::Part part_{participant_};
  memory::MemoryStore store_{clock_};
};

TEST_F(Upcast, ARenamedEventOfTheEventStoreIsFolded) {
  store({recorded("shop.payment.v1.PaymentTakenBack", voided_bytes, "payment", {"payment", "42"})});
  EXPECT_EQ(stage(), payment::Stage::voided);
}

TEST_F(Upcast, ASplitEventOfTheEventStoreIsFoldedInItsOrder) {
  store({recorded("legacy.v1.PaymentTaken", taken_bytes, "payment", {"payment", "42"})});
  EXPECT_EQ(stage(), payment::Stage::captured);
  const auto today = part_.read("legacy.v1.PaymentTaken", taken_bytes);
  ASSERT_EQ(today.size(), 2U);
  EXPECT_EQ(today[0]->SerializeAsString(), std::string("\x0a\x02"
                                                       "42"
                                                       "\x12\x03"
                                                       "ann"
                                                       "\x18\xac\x02"));
}

TEST_F(Upcast, ARenamedEventOfTheBrokerStartsTheStep) {
  const auto refused = recorded("shop.stock.v1.OutOfStock", voided_bytes, "stock", {"stock", "42"});
  EXPECT_EQ(hear(refused), std::vector<std::string>{"PaymentVoided"});
  const telemetry::Log log("test", telemetry::Level::error, telemetry::Format::text);
  EXPECT_TRUE(runtime::EventHandler(part_, log).compensates(refused)) << "it is tried for ever, as what it is today";
}

TEST_F(Upcast, ASplitEventOfTheBrokerStartsEachStepInItsOrder) {
  EXPECT_EQ(hear(recorded("legacy.v1.OrderTaken", order_taken_bytes, "shop", {"shop", "42"})),
            (std::vector<std::string>{"PaymentAuthorized", "PaymentCaptured"}));
}

TEST_F(Upcast, BytesThatAreNoneOfItAreParked) {
  try {
    static_cast<void>(part_.read("legacy.v1.OrderTaken", "\xff"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::park);
  }
}

TEST_F(Upcast, ARerunReadsThemAndComparesWithWhatTheySayToday) {
  casefile::v1::Case one;
  one.mutable_header()->set_saga_id("saga");
  one.mutable_header()->set_ended(true);
  const auto refused = recorded("shop.stock.v1.OutOfStock", voided_bytes, "stock", {"stock", "42"});
  auto voided = recorded("shop.payment.v1.PaymentTakenBack", voided_bytes, "payment", {"payment", "42"});
  voided.causation_id = refused.id;
  voided.recorded_at += std::chrono::milliseconds(1);
  for (const auto& event : {refused, voided}) *one.add_event() = casefile::to_recorded(event);
  const auto report = rerun::Rerunner(participant_).run(one);
  ASSERT_EQ(report.run_size(), 1) << casefile::as_text(report);
  EXPECT_EQ(report.run(0).step(), "Void");
  EXPECT_EQ(report.run(0).verdict(), casefile::v1::SAME) << casefile::as_text(report);
}

/// Once A was called B, and B was called A.
class Circular final : public OldHand {
 public:
  void upcasters(Upcasters& all) const override {
    all.renamed<payment::v1::PaymentVoided>(payment::v1::PaymentDeclined::descriptor()->full_name());
    all.renamed<payment::v1::PaymentDeclined>(payment::v1::PaymentVoided::descriptor()->full_name());
  }
};

TEST(UpcastCircle, IsToldAndNotGoneRoundForEver) {
  Circular circular;
  const runtime::Part part(circular);
  try {
    static_cast<void>(part.read("shop.payment.v1.PaymentVoided", voided_bytes));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::stop);
    EXPECT_NE(std::string(error.what()).find("round in a circle"), std::string::npos);
  }
}

}  // namespace
}  // namespace quadrille
