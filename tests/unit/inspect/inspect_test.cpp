// Facts of servers, written by hand: one difference each.
#include "inspect/inspect.hpp"

#include "checker/load.hpp"
#include "checker/report.hpp"
#include "contract/topology.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace quadrille::inspect {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Broker : public ::testing::Test {
 protected:
  Broker()
      : contracts_({std::string(QUADRILLE_SOURCE_DIR) + "/contracts/shop"}, {}),
        graph_(contracts_.reading().model),
        sagas_(checker::sagas(graph_)) {
    constexpr std::int64_t second = 1'000'000'000;
    stream_ = {{"name", "EVT"},    {"subjects", {"evt.>"}},         {"retention", "limits"},
               {"discard", "new"}, {"max_age", 7 * 86400 * second}, {"duplicate_window", 600 * second}};
    for (const auto& participant : contracts_.reading().model.participants)
      for (const auto& consumer : contract::topology_of(participant).consumers)
        consumers_[consumer.name] = {{"durable_name", consumer.name},
                                     {"filter_subject", consumer.filter},
                                     {"ack_policy", "explicit"},
                                     {"ack_wait", consumer.ack_wait.count() * 1'000'000},
                                     {"max_deliver", -1}};
  }
  std::vector<std::string> codes() const {
    BrokerFacts facts;
    if (!stream_.is_null()) facts.streams["EVT"] = stream_.dump();
    for (const auto& [name, config] : more_streams_) facts.streams[name] = config.dump();
    for (const auto& [name, config] : consumers_) facts.consumers["EVT"][name] = config.dump();
    std::vector<std::string> all;
    for (const auto& finding : judge_broker(facts, graph_, sagas_)) all.push_back(finding.code);
    return all;
  }

  checker::Contracts contracts_;
  checker::Graph graph_;
  std::vector<checker::SagaView> sagas_;
  json stream_;
  std::map<std::string, json> more_streams_;
  std::map<std::string, json> consumers_;
};

TEST_F(Broker, ThatIsAsTheContractsWantItHasNoFinding) { EXPECT_THAT(codes(), IsEmpty()); }

TEST_F(Broker, WithoutTheStreamIsToldOnce) {
  stream_ = nullptr;
  EXPECT_THAT(codes(), ElementsAre("QDR193"));
}

TEST_F(Broker, WithAWorkQueueThrowsHistoryAway) {
  stream_["retention"] = "workqueue";
  EXPECT_THAT(codes(), ElementsAre("QDR193"));
}

TEST_F(Broker, WithAShortWindowOrAgeLosesWhatIsNeeded) {
  stream_["duplicate_window"] = 1'000'000'000;
  EXPECT_THAT(codes(), ElementsAre("QDR190"));
  stream_["duplicate_window"] = 600'000'000'000;
  stream_["max_age"] = 3'600'000'000'000;
  EXPECT_THAT(codes(), ElementsAre("QDR191"));
}

TEST_F(Broker, WithASecondStreamKeepsEventsTwice) {
  more_streams_["COPY"] = {{"name", "COPY"}, {"subjects", {"evt.*.shipping.>"}}};
  EXPECT_THAT(codes(), ElementsAre("QDR106"));
}

TEST_F(Broker, WhoseConsumerIsGoneOrOtherwiseIsNotHeard) {
  auto& consumer = consumers_.begin()->second;
  consumer["max_deliver"] = 5;
  EXPECT_THAT(codes(), ElementsAre("QDR192"));
  consumer["max_deliver"] = -1;
  consumer["filter_subject"] = "evt.>";
  EXPECT_THAT(codes(), ElementsAre("QDR193"));
  consumers_.erase(consumers_.begin());
  EXPECT_THAT(codes(), ElementsAre("QDR193"));
}

TEST_F(Broker, WithAConsumerOfNobodyIsToldSo) {
  consumers_["legacy"] = {{"durable_name", "legacy"}};
  EXPECT_THAT(codes(), ElementsAre("QDR194"));
}

std::vector<std::string> about(const postgres::ServerFacts& facts) {
  std::vector<std::string> all;
  for (const auto& finding : judge_database(facts)) all.push_back(finding.about.front());
  return all;
}

postgres::ServerFacts good() {
  return {
      {{"fsync", "on"}, {"synchronous_commit", "on"}, {"full_page_writes", "on"}}, false, false, "framework/0001.sql"};
}

TEST(Database, ThatKeepsWhatItCommitsHasNoFinding) { EXPECT_THAT(about(good()), IsEmpty()); }

TEST(Database, ThatMayLoseCommitsIsTold) {
  for (const auto* setting : {"fsync", "synchronous_commit", "full_page_writes"}) {
    auto facts = good();
    facts.settings[setting] = "off";
    EXPECT_THAT(about(facts), ElementsAre(setting));
  }
}

TEST(Database, WhoseSlotsMayFillTheDiskIsTold) {
  auto facts = good();
  facts.settings["max_slot_wal_keep_size"] = "-1";
  EXPECT_THAT(about(facts), IsEmpty());
  facts.settings["wal_level"] = "logical";
  EXPECT_THAT(about(facts), ElementsAre("max_slot_wal_keep_size"));
}

TEST(Database, WithoutSchemaOrWithTooManyRightsIsTold) {
  auto facts = good();
  facts.schema.clear();
  EXPECT_THAT(about(facts), ElementsAre("schema"));
  facts = good();
  facts.may_change_events = true;
  EXPECT_THAT(about(facts), ElementsAre("role"));
}

}  // namespace
}  // namespace quadrille::inspect
