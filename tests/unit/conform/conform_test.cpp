// Recorded traffic of the shop, written by hand: one fault each, found by exactly its rule.
#include "checker/report.hpp"
#include "conform/conformance.hpp"
#include "conform/overlay.hpp"
#include "support/shop_traffic.hpp"
#include "traffic/ndjson.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace quadrille::conform {
namespace {

using namespace std::chrono_literals;

const checker::Contracts& shop() { return support::shop_contracts(); }

class Traffic : public support::ShopTraffic {
 public:
  Traffic() : graph_(shop().reading().model), sagas_(checker::sagas(graph_)) {}

  Report judge(std::chrono::seconds later = 10s) const {
    Conformance conformance(graph_, sagas_, {"f"});
    for (const auto& event : events) conformance.take(event);
    return conformance.finish(events.back().recorded_at + later);
  }
  /// Codes of what was found, but for edges never seen.
  std::vector<std::string> codes(std::chrono::seconds later = 10s) const {
    std::vector<std::string> all;
    for (const auto& finding : judge(later).findings)
      if (finding.code != "QDR203") all.push_back(finding.code);
    return all;
  }
  [[nodiscard]] const checker::Graph& graph() const { return graph_; }
  [[nodiscard]] const checker::SagaView& saga() const { return sagas_.front(); }

 private:
  checker::Graph graph_;
  std::vector<checker::SagaView> sagas_;
};

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Conform, AcceptsWhatWasDeclared) {
  Traffic traffic;
  traffic.checkout();
  EXPECT_THAT(traffic.codes(), IsEmpty());
  const auto report = traffic.judge();
  EXPECT_EQ(report.completed, 1U);
  EXPECT_DOUBLE_EQ(report.fitness, 1.0);
  ASSERT_EQ(report.variants.size(), 1U);
  EXPECT_THAT(report.variants[0].path, HasSubstr("OrderPlaced PaymentAuthorized"));
}

TEST(Conform, TellsHowLongEachReactionTook) {
  Traffic traffic;
  traffic.checkout("a");
  traffic.checkout("b");
  const auto report = traffic.judge();
  std::size_t seen = 0;
  for (const auto& [edge, use] : report.edges)
    if (edge[0] >= 0 && use.count > 0) {
      ++seen;
      EXPECT_EQ(use.count, 2U);
      EXPECT_EQ(use.p50, 1s);
    }
  EXPECT_EQ(seen, 6U);
}

TEST(Conform, FindsAnEventNobodyDeclares) {
  Traffic traffic;
  traffic.checkout();
  traffic.events.back().type = "shop.order.v1.OrderInvented";
  EXPECT_THAT(traffic.codes(), ElementsAre("QDR201"));
}

TEST(Conform, FindsAnEventOfAParticipantThatDoesNotDeclareIt) {
  Traffic traffic;
  traffic.checkout();
  traffic.events[2].source = "shipping";  // StockReserved
  EXPECT_THAT(traffic.codes(), Contains("QDR201"));
}

TEST(Conform, FindsAReactionNobodyDeclares) {
  Traffic traffic;
  const auto placed = traffic.checkout();
  traffic.events[3].causation_id =
      traffic.events[static_cast<std::size_t>(placed)].id;  // captured without a reservation
  const auto report = traffic.judge();
  EXPECT_THAT(traffic.codes(), ElementsAre("QDR202"));
  EXPECT_EQ(report.undeclared.at("OrderPlaced -> payment -> PaymentCaptured"), 1U);
  EXPECT_LT(report.fitness, 1.0);
}

TEST(Conform, DoesNotJudgeByACauseItHasNotRead) {
  Traffic traffic;
  traffic.checkout();
  traffic.events.erase(traffic.events.begin(), traffic.events.begin() + 2);  // the range began in the middle
  const auto report = traffic.judge();
  EXPECT_EQ(report.unrecorded_causes, 1U);
  EXPECT_DOUBLE_EQ(report.fitness, 1.0);
  EXPECT_THAT(traffic.codes(), IsEmpty());
}

TEST(Conform, TellsWhichEdgesWereNeverTaken) {
  Traffic traffic;
  traffic.checkout();
  std::vector<std::string> messages;
  for (const auto& finding : traffic.judge().findings) messages.push_back(finding.message);
  EXPECT_THAT(messages,
              Contains(HasSubstr("payment.Authorize -> PaymentDeclined is declared but was never seen in 1 sagas")));
}

TEST(Conform, FindsASagaPastItsDeadlineAndWhatItWaitsFor) {
  Traffic traffic;
  const auto placed = traffic.say("order", "OrderPlaced", -1);
  traffic.say("payment", "PaymentAuthorized", placed);
  EXPECT_THAT(traffic.codes(1h), IsEmpty());
  EXPECT_THAT(traffic.codes(25h), ElementsAre("QDR204"));
  const auto report = traffic.judge(25h);
  EXPECT_THAT(report.findings.back().message + report.findings.front().message,
              HasSubstr("waiting for inventory.Reserve"));
}

TEST(Conform, AcceptsWhatATimerSaysBecauseOfWhatArmedIt) {
  Traffic traffic;
  const auto placed = traffic.say("order", "OrderPlaced", -1);
  const auto late = traffic.say("order", "CheckoutTimedOut", placed);
  const auto refused = traffic.say("inventory", "StockRefused", late);
  traffic.say("payment", "PaymentAuthorized", placed);
  const auto voided = traffic.say("payment", "PaymentVoided", refused);
  traffic.say("order", "OrderRejected", voided);
  EXPECT_THAT(traffic.codes(), IsEmpty());
  EXPECT_DOUBLE_EQ(traffic.judge().fitness, 1.0);
}

TEST(Conform, FindsTwoEnds) {
  Traffic traffic;
  const auto placed = traffic.checkout();
  const auto declined = traffic.say("payment", "PaymentDeclined", placed);
  traffic.say("order", "OrderRejected", declined);
  EXPECT_THAT(traffic.codes(), Contains("QDR205"));
}

TEST(Conform, FindsAnUndoPastThePivot) {
  Traffic traffic;
  const auto placed = traffic.say("order", "OrderPlaced", -1);
  const auto authorized = traffic.say("payment", "PaymentAuthorized", placed);
  traffic.say("inventory", "StockReserved", authorized);
  const auto refused = traffic.say("inventory", "StockRefused", authorized);
  traffic.say("payment", "PaymentVoided", refused);
  EXPECT_THAT(traffic.codes(), Contains("QDR206"));
}

TEST(Conform, FindsACancelledSagaInWhichSomethingStayedDone) {
  Traffic traffic;
  const auto placed = traffic.say("order", "OrderPlaced", -1);
  const auto authorized = traffic.say("payment", "PaymentAuthorized", placed);
  traffic.say("inventory", "StockRefused", authorized);
  const auto declined = traffic.say("payment", "PaymentDeclined", placed);
  traffic.say("order", "OrderRejected", declined);
  EXPECT_THAT(traffic.codes(), Contains("QDR207"));
}

TEST(Conform, FindsMoreStepsThanTheContractHas) {
  Traffic traffic;
  auto last = traffic.say("order", "OrderPlaced", -1);
  for (int i = 0; i < 8; ++i) {
    last = traffic.say("payment", "PaymentAuthorized", last);
    last = traffic.say("inventory", "StockReserved", last);
  }
  EXPECT_THAT(traffic.codes(), Contains("QDR208"));
}

TEST(Conform, FindsACompensationBeforeItsStep) {
  Traffic traffic;
  const auto placed = traffic.say("order", "OrderPlaced", -1);
  const auto late = traffic.say("order", "CheckoutTimedOut", -1);
  const auto refused = traffic.say("inventory", "StockRefused", late);
  const auto voided = traffic.say("payment", "PaymentVoided", refused);
  traffic.say("payment", "PaymentAuthorized", placed);
  traffic.say("order", "OrderRejected", voided);
  EXPECT_THAT(traffic.codes(), Contains("QDR209"));
}

TEST(Conform, AcceptsAnUndoThatANewTryCameFrom) {
  const checker::Contracts contracts({std::string(QUADRILLE_SOURCE_DIR) + "/tests/checker/cases/QDR122_retry/repaired"},
                                     {});
  const checker::Graph graph(contracts.reading().model);
  const auto sagas = checker::sagas(graph);
  Conformance conformance(graph, sagas, {});
  std::vector<std::pair<const char*, const char*>> said{
      {"order", "OrderPlaced"}, {"shop", "Chosen"}, {"bank", "Held"},    {"sup", "Refused"},         {"bank", "Freed"},
      {"shop", "Chosen"},       {"bank", "Held"},   {"sup", "Accepted"}, {"order", "OrderConfirmed"}};
  std::map<std::string, std::uint64_t> versions;
  for (std::size_t i = 0; i < said.size(); ++i) {
    const std::string by = said[i].first;
    Event event;
    event.id = "e" + std::to_string(i);
    event.type = "t." + by + ".v1." + said[i].second;
    event.source = by;
    event.saga_id = "s1";
    event.stream = {by, "s1"};
    event.subject = "evt.3." + by + "." + by + "." + said[i].second;
    event.version = ++versions[by];
    event.causation_id = i == 0 ? "" : "e" + std::to_string(i - 1);
    event.recorded_at = TimePoint(std::chrono::hours(1)) + std::chrono::seconds(i);
    conformance.take(event);
  }
  const auto report = conformance.finish(TimePoint(std::chrono::hours(2)));
  for (const auto& finding : report.findings) EXPECT_EQ(finding.code, "QDR203") << finding.message;
}

TEST(Conform, FindsACauseThatWasAnsweredTwice) {
  Traffic twice;
  const auto placed = twice.checkout();
  twice.say("payment", "PaymentAuthorized", placed);
  EXPECT_THAT(twice.codes(), Contains("QDR213"));
  Traffic both;
  const auto again = both.checkout();
  both.say("payment", "PaymentDeclined", again);
  EXPECT_THAT(both.codes(), Contains("QDR213"));
}

TEST(Conform, FindsAnEndThatIsSaidTwice) {
  Traffic traffic;
  traffic.checkout();
  traffic.events.push_back(traffic.events.back());
  traffic.events.back().id = "another";
  ++traffic.events.back().version;
  EXPECT_THAT(traffic.codes(), Contains("QDR205"));
}

TEST(Conform, FindsAnotherContract) {
  Traffic traffic;
  traffic.checkout();
  traffic.events[1].contract = "another";
  EXPECT_THAT(traffic.codes(), ElementsAre("QDR210"));
}

TEST(Conform, FindsEventsOfOneStreamHandledOutOfOrder) {
  Traffic traffic;
  const auto placed = traffic.say("order", "OrderPlaced", -1);
  const auto late = traffic.say("order", "CheckoutTimedOut", -1);
  // Inventory hears both streams of the order; it reacts to the newer event first.
  traffic.say("inventory", "StockRefused", late);
  traffic.say("inventory", "StockReserved", placed);
  EXPECT_THAT(traffic.codes(), Contains("QDR211"));
}

TEST(Conform, FindsOneIdWithTwoContentsAndTakesAPlainRepetition) {
  Traffic traffic;
  traffic.checkout();
  traffic.events.push_back(traffic.events[1]);
  EXPECT_THAT(traffic.codes(), IsEmpty());
  traffic.events.back().payload = "other";
  EXPECT_THAT(traffic.codes(), ElementsAre("QDR212"));
}

TEST(Conform, TellsTheSameFaultOnceWithItsNumberAndAnExample) {
  Traffic traffic;
  for (const auto* saga : {"a", "b", "c"}) {
    const auto placed = traffic.say("order", "OrderPlaced", -1, saga);
    traffic.say("payment", "PaymentCaptured", placed, saga);
  }
  std::size_t count = 0;
  for (const auto& finding : traffic.judge().findings)
    if (finding.code == "QDR202") {
      ++count;
      EXPECT_THAT(finding.message, HasSubstr("(3 times, such as saga a)"));
    }
  EXPECT_EQ(count, 1U);
}

TEST(Overlay, DrawsWhatWasTakenNeverTakenAndNotDeclared) {
  Traffic traffic;
  const auto placed = traffic.checkout();
  traffic.say("payment", "PaymentCaptured", placed, "s1");
  const auto drawing = overlay(traffic.graph(), traffic.saga(), traffic.judge());
  std::map<graph::Line, int> lines;
  for (const auto& edge : drawing.edges) ++lines[edge.line];
  EXPECT_GT(lines[graph::Line::never], 0);
  EXPECT_EQ(lines[graph::Line::undeclared], 1);
  for (const auto* what : {"never seen", "1 times", "p50 1000 ms"})
    EXPECT_THAT(graph::as_dot(drawing), HasSubstr(what));
}

TEST(Ndjson, KeepsEveryFieldOfAnEvent) {
  Traffic traffic;
  traffic.checkout();
  auto event = traffic.events.front();
  event.payload = std::string("\0\xff\n\"", 4);
  event.hops = 7;
  event.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  std::istringstream lines(traffic::to_ndjson(event) + "\n\n");
  std::vector<Event> read;
  traffic::read_ndjson(lines, "here", [&](const Event& one) { read.push_back(one); });
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read.front(), event);
}

TEST(Ndjson, NamesTheLineThatIsNoEvent) {
  std::istringstream lines("\n{\"id\": 1}\n");
  try {
    traffic::read_ndjson(lines, "traffic.ndjson", [](const Event&) {});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("traffic.ndjson:2: no event: "));
  }
}

}  // namespace
}  // namespace quadrille::conform
