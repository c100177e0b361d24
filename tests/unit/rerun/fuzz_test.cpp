// Disturbed deliveries: what the framework tolerates never diverges, and what does is told by its smallest case.
#include "casefile/case_events.hpp"
#include "casefile/report_text.hpp"
#include "cases/vary.hpp"
#include "order/order_service.hpp"
#include "payment/payment_service.hpp"
#include "rerun/disturbance.hpp"
#include "rerun/rerun.hpp"
#include "walkthrough/recorded_shop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace quadrille::rerun {
namespace {

using casefile::v1::Case;

Case paid_order(Participant& payment) {
  const auto shop = shop::record_shop(payment, 2);  // the first is the one with the planted refusal
  Case one;
  one.mutable_header()->set_saga_id(shop.sagas[1]);
  one.mutable_header()->set_ended(true);
  for (const auto& event : shop.events)
    if (event.saga_id == shop.sagas[1]) *one.add_event() = casefile::to_recorded(event);
  return one;
}

/// Order 0 of a correct payment: captured, then refused by the warehouse, which changes nothing.
Case captured_order() {
  shop::payment::PaymentService payment;
  const auto shop = shop::record_shop(payment, 1);
  Case one;
  one.mutable_header()->set_saga_id(shop.sagas[0]);
  one.mutable_header()->set_ended(true);
  for (const auto& event : shop.events) *one.add_event() = casefile::to_recorded(event);
  return one;
}

FuzzOptions tries(std::uint32_t count, std::chrono::milliseconds latest = std::chrono::seconds(1)) {
  FuzzOptions options;
  options.tries = count;
  options.latest = latest;
  return options;
}

TEST(Fuzz, WhatTheFrameworkToleratesNeverDiverges) {
  shop::payment::PaymentService payment;
  const auto report = Rerunner(payment).fuzz(captured_order(), tries(200));
  EXPECT_EQ(report.fuzz().tried(), 200U);
  EXPECT_EQ(report.fuzz().diverged(), 0U) << casefile::as_text(report);
  EXPECT_FALSE(casefile::has_findings(report));
  EXPECT_NE(casefile::as_text(report).find("disturbed 200 times from seed 1: always the same end"), std::string::npos);
  shop::order::OrderService order;
  EXPECT_EQ(Rerunner(order).fuzz(captured_order(), tries(200)).fuzz().diverged(), 0U);
}

TEST(Fuzz, TheSmallestCaseIsTheLeastDelayThatLetsTheHoldLapse) {
  shop::payment::PaymentService payment;
  Rerunner rerunner(payment);
  const auto one = captured_order();
  const auto report = rerunner.fuzz(one, tries(500, std::chrono::hours(20)));
  ASSERT_GT(report.fuzz().diverged(), 0U);
  ASSERT_EQ(report.fuzz().disturbance_size(), 1) << casefile::as_text(report);
  // The hold is for an hour from the authorization, which is 4 ms before the reservation was recorded.
  EXPECT_TRUE(report.fuzz().disturbance(0).starts_with("StockReserved comes 3599")) << report.fuzz().disturbance(0);
  const auto& lines = report.fuzz().divergence();
  EXPECT_NE(std::ranges::find(lines, "AuthorizationLapsed of o-0 is recorded 1 times instead of 0"), lines.end())
      << casefile::as_text(report);
  EXPECT_TRUE(casefile::has_findings(report));
  // The smallest one alone, as `case run` has it from a file.
  auto smallest = one;
  *smallest.mutable_header()->mutable_variation() = report.fuzz().smallest();
  const auto again = rerunner.run(smallest);
  EXPECT_EQ(again.run_size(), report.run_size());
}

TEST(Fuzz, TheSameSeedGivesTheSameReport) {
  shop::payment::PaymentService payment;
  Rerunner rerunner(payment);
  const auto one = captured_order();
  const auto options = tries(500, std::chrono::hours(20));
  EXPECT_EQ(casefile::to_json(rerunner.fuzz(one, options)), casefile::to_json(rerunner.fuzz(one, options)));
  auto other = options;
  other.seed = 1'000;
  EXPECT_NE(rerunner.fuzz(one, other).fuzz().diverged(), 0U);
}

/// Charges twice where the customer hears of a capture before his order is known: a decision by what came first.
class Hasty final : public shop::payment::v1::PaymentSteps<shop::payment::Payment> {
 public:
  shop::payment::v1::AuthorizeOutcome authorize(const shop::order::v1::OrderPlaced& placed,
                                                const shop::payment::Payment& payment, Step& step) override {
    return right_.authorize(placed, payment, step);
  }
  shop::payment::v1::LapseOutcome lapse(const v1::Timer& timer, const shop::payment::Payment& payment,
                                        Step& step) override {
    return right_.lapse(timer, payment, step);
  }
  shop::payment::v1::VoidOutcome void_(const shop::inventory::v1::StockRefused& refused, const shop::payment::Payment&,
                                       Step&) override {
    shop::payment::v1::VoidOutcome outcome;
    outcome.mutable_voided()->set_reason(refused.reason() + std::to_string(++calls_));
    return outcome;
  }
  shop::payment::v1::CaptureOutcome capture(const shop::inventory::v1::StockReserved& reserved,
                                            const shop::payment::Payment& payment, Step& step) override {
    return right_.capture(reserved, payment, step);
  }

 private:
  shop::payment::PaymentService right_;
  int calls_ = 0;  ///< a decision by something that is no event
};

TEST(Fuzz, ToleratesWhatItIsToldTo) {
  Hasty hasty;
  auto options = tries(5);
  EXPECT_EQ(Rerunner(hasty).fuzz(captured_order(), options).fuzz().diverged(), 5U);
  options.tolerated = {"PaymentVoided"};
  EXPECT_EQ(Rerunner(hasty).fuzz(captured_order(), options).fuzz().diverged(), 0U);
}

TEST(Fuzz, AVariationIsDisturbedFurther) {
  shop::payment::PaymentService payment;
  const auto varied =
      cases::vary(captured_order(), "payment", {{cases::Change::Kind::delay, "OrderPlaced", std::chrono::seconds(1)}});
  const auto report = Rerunner(payment).fuzz(varied, tries(500, std::chrono::hours(20)));
  EXPECT_GT(report.fuzz().diverged(), 0U);
  EXPECT_TRUE(report.variation().starts_with("later OrderPlaced, ")) << report.variation();
}

TEST(Fuzz, ASagaInWhichNothingIsHeardIsNotDisturbed) {
  shop::payment::PaymentService payment;
  auto one = paid_order(payment);
  one.clear_event();
  EXPECT_NE(Rerunner(payment).fuzz(one, tries(1)).could_not().find("hears nothing"), std::string::npos);
}

TEST(Disturb, MovesRepeatsAndDelays) {
  using Kind = Disturbance::Kind;
  const auto at = [](int millis) { return TimePoint(std::chrono::milliseconds(millis)); };
  const std::vector<Delivered> all{{"a", "A", at(0)}, {"b", "B", at(10)}, {"c", "C", at(20)}};
  const auto ids = [&](const std::vector<Disturbance>& changes) {
    std::string text;
    for (const auto& one : disturb(all, changes)) text += one.event_id;
    return text;
  };
  EXPECT_EQ(ids({{Kind::moved, "a", 2}}), "bca");
  EXPECT_EQ(ids({{Kind::moved, "c", -5}}), "cab");
  EXPECT_EQ(ids({{Kind::twice, "a", 0}}), "aabc");
  EXPECT_EQ(ids({{Kind::twice, "a", 1}}), "abac");
  EXPECT_EQ(ids({{Kind::late, "a", 11}}), "bac");
  EXPECT_EQ(ids({{Kind::lost, "b", 0}}), "acb");
  EXPECT_EQ(text({Kind::moved, "c", -1}, all), "C comes 1 place earlier");
}

TEST(Vary, SetsAFieldAndNamesThoseThereAre) {
  shop::payment::PaymentService payment;
  auto one = captured_order();
  for (const auto* file :
       {shop::payment::v1::PaymentCaptured::descriptor()->file(), shop::order::v1::OrderPlaced::descriptor()->file()})
    for (const auto* imported = file; imported != nullptr; imported = nullptr) {
      const auto add = [&](const auto& self, const google::protobuf::FileDescriptor& of) -> void {
        for (int i = 0; i < of.dependency_count(); ++i) self(self, *of.dependency(i));
        for (const auto& known : one.header().descriptors().file())
          if (known.name() == of.name()) return;
        of.CopyTo(one.mutable_header()->mutable_descriptors()->add_file());
      };
      add(add, *imported);
    }
  const auto set = [&](const std::string& text) {
    return cases::vary(one, "payment", {cases::Change::parse_set(text)});
  };
  const auto report = Rerunner(payment).run(set("OrderPlaced.amount_cents=77"));
  ASSERT_GT(report.run_size(), 0);
  EXPECT_NE(report.run(0).said(0).json().find("\"amount_cents\":\"77\""), std::string::npos)
      << casefile::as_text(report);
  EXPECT_EQ(report.variation(), "with OrderPlaced.amount_cents=77");
  EXPECT_NO_THROW(static_cast<void>(set("OrderPlaced.item=a clock of 1.5 feet")));
  const auto fault = [&](const std::string& text) -> std::string {
    try {
      static_cast<void>(set(text));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_NE(fault("OrderPlaced.amount=77").find("its fields: order_id, customer_id, item"), std::string::npos);
  EXPECT_NE(fault("OrderPlaced.amount_cents=much").find("'much' is no uint64"), std::string::npos);
  EXPECT_NE(fault("OrderPlaced=77").find("is not EVENT.FIELD=VALUE"), std::string::npos);
}

}  // namespace
}  // namespace quadrille::rerun
