#include "rerun/rerun.hpp"

#include "casefile/case_events.hpp"
#include "casefile/report_text.hpp"
#include "cases/vary.hpp"
#include "inventory/inventory_service.hpp"
#include "order/order_service.hpp"
#include "shipping/shipping_service.hpp"
#include "walkthrough/double_void.hpp"
#include "walkthrough/recorded_shop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace quadrille::rerun {
namespace {

using casefile::v1::Case;
using casefile::v1::Report;

std::vector<Case> cases_of(const shop::RecordedShop& shop) {
  std::vector<Case> all;
  for (const auto& saga : shop.sagas) {
    auto& one = all.emplace_back();
    one.mutable_header()->set_saga_id(saga);
    one.mutable_header()->set_ended(true);
    for (const auto& event : shop.events)
      if (event.saga_id == saga) *one.add_event() = casefile::to_recorded(event);
  }
  return all;
}

template <class Service>
void expect_the_same(const std::vector<Case>& cases) {
  Service service;
  Rerunner rerunner(service);
  for (const auto& one : cases) {
    const auto report = rerunner.run(one);
    EXPECT_TRUE(report.could_not().empty()) << report.could_not();
    EXPECT_GT(report.run_size(), 0);
    for (const auto& run : report.run()) EXPECT_EQ(run.verdict(), casefile::v1::SAME) << casefile::as_text(report);
  }
}

TEST(Rerun, TheProgramThatWasRecordedSaysTheSameInEverySaga) {
  shop::payment::PaymentService payment;
  const auto cases = cases_of(shop::record_shop(payment, 40));
  expect_the_same<shop::payment::PaymentService>(cases);
  expect_the_same<shop::order::OrderService>(cases);
}

TEST(Rerun, ShowsOnlyTheDecisionThatIsOtherToday) {
  shop::payment::DoubleVoidService recorded;
  const auto cases = cases_of(shop::record_shop(recorded, 10));
  shop::payment::PaymentService fixed;
  Rerunner rerunner(fixed);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto report = rerunner.run(cases[i]);
    std::map<std::string, casefile::v1::Verdict> verdicts;
    for (const auto& run : report.run()) verdicts[run.step()] = run.verdict();
    EXPECT_EQ(casefile::has_findings(report), i == 0) << casefile::as_text(report);
    if (i > 0) continue;
    EXPECT_EQ(verdicts["Authorize"], casefile::v1::SAME);
    EXPECT_EQ(verdicts["Capture"], casefile::v1::SAME);
    EXPECT_EQ(verdicts["Void"], casefile::v1::DIFFERENT);
  }
}

TEST(Rerun, IsTheSameEveryTime) {
  shop::payment::DoubleVoidService recorded;
  const auto one = cases_of(shop::record_shop(recorded, 1)).front();
  shop::payment::PaymentService fixed;
  Rerunner rerunner(fixed);
  const auto first = casefile::to_json(rerunner.run(one));
  EXPECT_EQ(casefile::to_json(rerunner.run(one)), first);
  EXPECT_EQ(casefile::to_json(casefile::from_json(first)), first);
}

TEST(Rerun, TellsTheFieldThatDiffers) {
  shop::payment::PaymentService payment;
  auto one = cases_of(shop::record_shop(payment, 1)).front();
  for (auto& event : *one.mutable_event()) {
    if (event.type() != shop::payment::v1::PaymentCaptured::descriptor()->full_name()) continue;
    shop::payment::v1::PaymentCaptured captured;
    ASSERT_TRUE(captured.ParseFromString(event.payload()));
    captured.set_quantity(7);
    event.set_payload(captured.SerializeAsString());
  }
  const auto report = Rerunner(payment).run(one);
  const auto capture = std::ranges::find(report.run(), "Capture", &casefile::v1::Run::step);
  ASSERT_NE(capture, report.run().end());
  EXPECT_EQ(capture->verdict(), casefile::v1::DIFFERENT);
  ASSERT_EQ(capture->difference_size(), 1) << casefile::as_text(report);
  EXPECT_NE(capture->difference(0).find("quantity: 7 -> 1"), std::string::npos) << capture->difference(0);
}

TEST(Rerun, RefusesWhatItCannotFold) {
  shop::payment::PaymentService payment;
  auto one = cases_of(shop::record_shop(payment, 1)).front();
  auto& events = *one.mutable_event();
  events.erase(std::ranges::find(events, "shop.payment.v1.PaymentAuthorized", &casefile::v1::RecordedEvent::type));
  const auto report = Rerunner(payment).run(one);
  EXPECT_NE(report.could_not().find("the case holds 1 of 2 versions"), std::string::npos) << report.could_not();
}

const casefile::v1::Standing* standing(const Report& report) {
  return report.standing_size() == 1 ? &report.standing(0) : nullptr;
}

TEST(Rerun, AVariationEndsWhereThePartsOwnStepsLeadIt) {
  shop::payment::PaymentService payment;
  const auto one = cases_of(shop::record_shop(payment, 2)).front();
  Rerunner rerunner(payment);
  const auto end_of = [&](cases::Change change) {
    const auto report = rerunner.run(cases::vary(one, "payment", {std::move(change)}));
    EXPECT_NE(standing(report), nullptr) << casefile::as_text(report);
    return standing(report) == nullptr ? std::string() : standing(report)->last().type();
  };
  using Kind = cases::Change::Kind;
  EXPECT_EQ(end_of({Kind::twice, "StockReserved", {}}), "shop.payment.v1.PaymentCaptured") << "tolerates a repetition";
  EXPECT_EQ(end_of({Kind::drop, "StockReserved", {}}), "shop.payment.v1.PaymentVoided") << "nothing was captured";
  const auto unplaced = rerunner.run(cases::vary(one, "payment", {{Kind::drop, "OrderPlaced", {}}}));
  EXPECT_EQ(standing(unplaced), nullptr) << "what cannot be captured waits, and what comes after it behind it";
  EXPECT_EQ(unplaced.run_size(), 2) << casefile::as_text(unplaced);
  EXPECT_EQ(end_of({Kind::first, "StockRefused", {}}), "shop.payment.v1.PaymentVoided") << "the refusal came first";
  EXPECT_THROW(static_cast<void>(end_of({Kind::drop, "Nonsense", {}})), std::runtime_error);
}

/// Asks the world.
class Curious final : public shop::payment::v1::PaymentSteps<shop::payment::Payment> {
 public:
  shop::payment::v1::AuthorizeOutcome authorize(const shop::order::v1::OrderPlaced&, const shop::payment::Payment&,
                                                Step& step) override {
    static_cast<void>(step.sql("SELECT limit_cents FROM limits", {}));
    return {};
  }
  shop::payment::v1::LapseOutcome lapse(const v1::Timer&, const shop::payment::Payment&, Step&) override { return {}; }
  shop::payment::v1::VoidOutcome void_(const shop::inventory::v1::StockRefused&, const shop::payment::Payment&,
                                       Step&) override {
    throw std::runtime_error("out of paper");
  }
  shop::payment::v1::CaptureOutcome capture(const shop::inventory::v1::StockReserved&, const shop::payment::Payment&,
                                            Step& step) override {
    static_cast<void>(step.idempotency_key());
    return {};
  }
};

TEST(Rerun, SaysWhatAStepAskedThatIsNotRecordedAndWhatItThrows) {
  shop::payment::DoubleVoidService payment;
  const auto one = cases_of(shop::record_shop(payment, 1)).front();
  Curious curious;
  const auto report = Rerunner(curious).run(one);
  std::map<std::string, casefile::v1::Run> runs;
  for (const auto& run : report.run()) runs[run.step()] = run;
  EXPECT_EQ(runs["Authorize"].verdict(), casefile::v1::NOT_RECORDED);
  EXPECT_EQ(runs["Authorize"].asked(0), "the rows of `SELECT limit_cents FROM limits`");
  EXPECT_EQ(runs["Capture"].verdict(), casefile::v1::NOT_RECORDED);
  EXPECT_EQ(runs["Void"].verdict(), casefile::v1::NEW_ERROR);
  EXPECT_EQ(runs["Void"].error(), "out of paper");
}

}  // namespace
}  // namespace quadrille::rerun
