// What people ask a running participant, and what it does when they say so, over ports in memory.
#include "asking/asker.hpp"
#include "payment_bench.hpp"
#include "quadrille/v1/supervision_events.pb.h"
#include "runtime/database_probe.hpp"

#include <nlohmann/json.hpp>

namespace quadrille {
namespace {

using control::v1::Answer;
using control::v1::Ask;
using control::v1::Failure;

class ControlTest : public PaymentBench {
 protected:
  Answer asked(const Ask& ask) { return asking::Asker(broker_).ask("payment", ask); }
  /// By ada, because of a ticket.
  Answer told(Ask ask) {
    ask.set_who("ada");
    ask.set_why("ticket 7");
    return asked(ask);
  }
  /// The step of each such order fails until the item of the order is "good".
  void fail_until_edited() {
    payment_.before = [this](const std::string& key) {
      if (key.starts_with("bad") && !mended_) throw Error(Disposition::park, "no price for " + key);
    };
  }
  std::vector<control::v1::StuckMessage> stuck(control::v1::ListStuck which = {}) {
    Ask ask;
    *ask.mutable_list_stuck() = std::move(which);
    const auto answer = asked(ask);
    EXPECT_TRUE(answer.has_stuck()) << answer.ShortDebugString();
    return {answer.stuck().message().begin(), answer.stuck().message().end()};
  }
  Event stuck_order(const std::string& key) {
    auto order = placed(key);
    publish(order);
    EXPECT_TRUE(eventually([&] { return std::ranges::count(ids_stuck(), order.id) == 1; }));
    return order;
  }
  std::vector<std::string> ids_stuck() {
    std::vector<std::string> ids;
    for (const auto& message : stuck()) ids.push_back(message.message_id());
    return ids;
  }
  std::vector<v1::ActTaken> acts_taken() {
    const auto transaction = store_.begin();
    std::vector<v1::ActTaken> acts;
    for (const auto& [position, event] : transaction->events().read_all({}, 10'000)) {
      if (event.type != "quadrille.v1.ActTaken") continue;
      EXPECT_TRUE(acts.emplace_back().ParseFromString(event.payload));
    }
    return acts;
  }
  std::vector<AuditTrail::Entry> audit() { return store_.begin()->audit().newest(100); }
  static Ask retry(const std::string& id) {
    Ask ask;
    ask.mutable_retry()->set_message_id(id);
    return ask;
  }
  static Ask discard(const std::string& id) {
    Ask ask;
    ask.mutable_discard()->set_message_id(id);
    return ask;
  }
  static Ask fire(const std::string& saga, const std::string& step, bool retry = false) {
    Ask ask;
    ask.mutable_fire_timer()->set_retry(retry);
    ask.mutable_fire_timer()->set_saga_id(saga);
    ask.mutable_fire_timer()->set_step(step);
    return ask;
  }
  static Ask note(const std::string& saga, const std::string& act) {
    Ask ask;
    ask.mutable_note()->set_saga_id(saga);
    ask.mutable_note()->set_act(act);
    return ask;
  }

  std::atomic<bool> mended_{false};
};

TEST_F(ControlTest, EveryInstanceSaysHowItIs) {
  fail_until_edited();
  start();
  static_cast<void>(stuck_order("bad"));
  Answer answer;
  ASSERT_TRUE(eventually([&] {
    const auto answers = asking::Asker(broker_).instances(true, std::chrono::milliseconds(100));
    if (answers.size() != 1) return false;
    answer = answers.front();
    return answer.status().ready() && answer.status().database().outbox_pending() == 0 &&
           answer.status().lane_size() == 16;
  })) << answer.ShortDebugString();
  EXPECT_EQ(answer.participant(), "payment");
  EXPECT_EQ(answer.instance(), "bench");
  const auto& status = answer.status();
  EXPECT_EQ(status.fingerprint(), part().fingerprint());
  EXPECT_FALSE(status.framework().empty());
  EXPECT_GT(status.started_at().seconds(), 0);
  EXPECT_EQ(status.relay(), control::v1::StatusReport::POLLING);
  EXPECT_TRUE(status.active_relay());
  EXPECT_TRUE(status.live());
  EXPECT_EQ(status.state().at("database"), "ok");
  EXPECT_EQ(status.state().at("loops"), "ok");
  ASSERT_EQ(status.database().waiting_size(), 1);
  EXPECT_EQ(status.database().waiting(0).state(), control::v1::PARKED);
  EXPECT_TRUE(status.database().waiting(0).stuck());
  EXPECT_EQ(status.database().waiting(0).reason_class(), v1::BUSINESS);
  EXPECT_FALSE(status.database().has_slot_lag_bytes());
  EXPECT_GE(status.consumer_size(), 16);
}

TEST_F(ControlTest, ASlowDatabaseIsSaidInTime) {
  runtime::DatabaseProbe probe("payment", store_, source_);
  EXPECT_EQ(probe.look(std::chrono::seconds(10)).state, "ok");
  {
    const auto transaction = store_.begin();  // the store in memory has one at a time
    const auto result = probe.look(std::chrono::milliseconds(20));
    EXPECT_EQ(result.state, "the database has not answered within 20 ms");
    EXPECT_FALSE(result.database);
  }
  EXPECT_TRUE(probe.look(std::chrono::seconds(10)).database);
}

TEST_F(ControlTest, ListsWhatIsStuckByClassTextAndSaga) {
  fail_until_edited();
  start();
  const auto one = stuck_order("bad-1");
  const auto two = stuck_order("bad-2");
  control::v1::ListStuck which;
  which.set_saga_id("saga-bad-2");
  ASSERT_EQ(stuck(which).size(), 1U);
  const auto found = stuck(which).front();
  EXPECT_EQ(found.message_id(), two.id);
  EXPECT_EQ(found.reason(), "no price for bad-2");
  EXPECT_EQ(found.step(), "Authorize");
  EXPECT_EQ(found.event_type(), "shop.order.v1.OrderPlaced");
  EXPECT_EQ(found.key(), "bad-2");
  EXPECT_EQ(found.stream(), "order-bad-2");
  EXPECT_TRUE(found.payload().empty());
  which.Clear();
  which.set_reason("bad-1");
  EXPECT_EQ(stuck(which).at(0).message_id(), one.id);
  which.set_reason_class(v1::TECHNICAL);
  EXPECT_TRUE(stuck(which).empty());
  Ask ask;
  ask.mutable_list_stuck()->set_limit(1);
  EXPECT_EQ(asked(ask).stuck().message_size(), 1);
  EXPECT_TRUE(asked(ask).stuck().more());
}

TEST_F(ControlTest, ShowsAMessageWithItsBytesAndWhatTheySay) {
  fail_until_edited();
  start();
  const auto order = stuck_order("bad");
  Ask ask;
  ask.mutable_show_stuck()->set_message_id(order.id);
  const auto shown = asked(ask).shown();
  EXPECT_EQ(shown.payload(), order.payload);
  EXPECT_EQ(shown.headers().at("ce-id"), order.id);
  EXPECT_EQ(shown.subject(), order.subject);
  EXPECT_EQ(nlohmann::json::parse(shown.payload_json())["order_id"], "bad");
  ask.mutable_show_stuck()->set_message_id("nobody");
  EXPECT_EQ(asked(ask).failure().kind(), Failure::NOT_FOUND);
}

TEST_F(ControlTest, TellsWhereEventsAndWhatOfASagaIs) {
  fail_until_edited();
  start();
  const auto bad = stuck_order("bad");
  const auto good = placed("good");
  publish(good);
  ASSERT_TRUE(eventually([&] { return recorded("good").size() == 1 && outbox() == 0; }));
  const StreamName stream{"payment", "good"};
  const auto authorized = store_.begin()->events().load(std::span(&stream, 1)).at(stream).front();
  Ask ask;
  for (const auto& id : {bad.id, good.id, authorized.id, std::string("nobody")}) ask.mutable_locate()->add_event_id(id);
  ask.mutable_locate()->set_saga_id("saga-good");
  const auto answer = asked(ask);
  std::map<std::string, control::v1::EventPlace> places;
  for (const auto& place : answer.located().event()) places[place.event_id()] = place;
  ASSERT_EQ(places.size(), 4U);
  EXPECT_TRUE(places[bad.id].claimed());
  EXPECT_EQ(places[bad.id].waiting().state(), control::v1::PARKED);
  EXPECT_EQ(places[bad.id].waiting().reason(), "no price for bad");
  EXPECT_FALSE(places[bad.id].has_recorded());
  EXPECT_TRUE(places[good.id].claimed());
  EXPECT_FALSE(places[good.id].has_waiting());
  EXPECT_EQ(places[authorized.id].recorded().stream(), "payment-good");
  EXPECT_EQ(places[authorized.id].recorded().version(), 1U);
  EXPECT_TRUE(places[authorized.id].recorded().published());
  EXPECT_FALSE(places["nobody"].claimed());
  EXPECT_EQ(answer.located().waiting_size(), 0);
  ASSERT_EQ(answer.located().deadline_size(), 1);
  EXPECT_EQ(answer.located().deadline(0).step(), "Lapse");
  EXPECT_EQ(answer.located().deadline(0).key(), "good");
  ask.Clear();
  ask.mutable_locate()->set_saga_id("saga-bad");
  EXPECT_EQ(asked(ask).located().waiting(0).message_id(), bad.id);
}

TEST_F(ControlTest, NoActIsDoneWithoutWhoAndWhy) {
  fail_until_edited();
  start();
  const auto order = stuck_order("bad");
  publish(placed("good"));
  ASSERT_TRUE(eventually([&] { return recorded("good").size() == 1; }));
  Ask all;
  all.mutable_retry_all()->set_reason("no price");
  for (auto ask :
       {retry(order.id), discard(order.id), fire("saga-good", "Lapse"), note("saga-bad", "resolve:LOST"), all}) {
    EXPECT_EQ(asked(ask).failure().kind(), Failure::REFUSED) << ask.ShortDebugString();
    ask.set_who("ada");
    ask.set_why(" ");
    const auto answer = asked(ask);
    EXPECT_EQ(answer.failure().kind(), Failure::REFUSED);
    EXPECT_NE(answer.failure().text().find("an act needs why"), std::string::npos) << answer.ShortDebugString();
  }
  EXPECT_EQ(ids_stuck(), Names{order.id});
  EXPECT_TRUE(audit().empty());
  EXPECT_TRUE(acts_taken().empty());
}

TEST_F(ControlTest, RetriesWithAnEditedPayloadAndKeepsTheOriginal) {
  payment_.before = [](const std::string& key) {
    if (key == "bad") throw Error(Disposition::park, "no price");
  };
  start();
  const auto order = stuck_order("bad");
  auto ask = retry(order.id);
  ask.mutable_retry()->set_payload_json(R"({"order_id": "bad", "amount_cents": "much"})");
  auto answer = told(ask);
  EXPECT_EQ(answer.failure().kind(), Failure::REFUSED);
  EXPECT_NE(answer.failure().text().find("amount_cents"), std::string::npos) << answer.ShortDebugString();
  ask.mutable_retry()->set_payload_json(R"({"order_id": "other"})");
  answer = told(ask);
  EXPECT_NE(answer.failure().text().find("its key is 'other'"), std::string::npos) << answer.ShortDebugString();
  EXPECT_EQ(ids_stuck(), Names{order.id});
  payment_.before = {};
  ask.mutable_retry()->set_payload_json(R"({"order_id": "bad", "amount_cents": "42"})");
  answer = told(ask);
  ASSERT_TRUE(answer.has_done()) << answer.ShortDebugString();
  ASSERT_TRUE(eventually([&] { return recorded("bad") == Names{"PaymentAuthorized"}; }));
  ASSERT_EQ(audit().size(), 1U);
  EXPECT_EQ(audit()[0].act, "retry");
  EXPECT_EQ(audit()[0].who, "ada");
  EXPECT_EQ(audit()[0].why, "ticket 7");
  EXPECT_EQ(audit()[0].original, order.payload);
  ASSERT_EQ(acts_taken().size(), 1U);
  const auto act = acts_taken()[0];
  EXPECT_EQ(act.act(), "retry");
  EXPECT_EQ(act.who(), "ada");
  EXPECT_EQ(act.why(), "ticket 7");
  EXPECT_EQ(act.saga_id(), "saga-bad");
  EXPECT_EQ(act.message_id(), order.id);
  EXPECT_EQ(act.step(), "Authorize");
  EXPECT_EQ(act.participant(), "payment");
  EXPECT_EQ(act.stuck_id(), "payment-" + order.id);
  EXPECT_GT(act.at().seconds(), 0);
  EXPECT_EQ(told(retry(order.id)).failure().kind(), Failure::NOT_FOUND);
}

TEST_F(ControlTest, RetriesAllOfAKindOrOnlyListsThem) {
  fail_until_edited();
  start();
  const auto one = stuck_order("bad-1");
  const auto two = stuck_order("bad-2");
  Ask ask;
  ask.mutable_retry_all();
  EXPECT_EQ(told(ask).failure().kind(), Failure::REFUSED) << "of which kind?";
  ask.mutable_retry_all()->set_reason_class(v1::BUSINESS);
  ask.mutable_retry_all()->set_dry_run(true);
  const auto dry = told(ask).done();
  EXPECT_TRUE(dry.dry_run());
  EXPECT_EQ(dry.message_id_size(), 2);
  EXPECT_TRUE(audit().empty());
  mended_ = true;
  ask.mutable_retry_all()->set_dry_run(false);
  EXPECT_EQ(told(ask).done().message_id_size(), 2);
  ASSERT_TRUE(eventually([&] { return ids_stuck().empty(); }));
  EXPECT_EQ(audit().size(), 2U);
  EXPECT_EQ(acts_taken().size(), 2U);
}

TEST_F(ControlTest, DiscardsUnlessAnOlderOneWaits) {
  fail_until_edited();
  start();
  const auto order = stuck_order("bad");
  EXPECT_TRUE(told(discard(order.id)).has_done());
  EXPECT_TRUE(ids_stuck().empty());
  ASSERT_EQ(acts_taken().size(), 1U);
  EXPECT_EQ(acts_taken()[0].act(), "discard");
  WaitingMessage older;
  older.message_id = "m1";
  older.stream = {"order", "a"};
  older.version = 1;
  older.due_at = TimePoint::max();
  auto newer = older;
  newer.message_id = "m2";
  newer.version = 2;
  newer.state = Waiting::parked;
  newer.stuck = true;
  const auto transaction = store_.begin();
  transaction->inbox().put_waiting("payment", std::vector{older, newer});
  transaction->commit();
  EXPECT_EQ(told(discard("m2")).failure().kind(), Failure::BLOCKED);
}

TEST_F(ControlTest, ATimerOfASagaRunsEarlyAsTheStepItIs) {
  start();
  publish(placed("a"));
  ASSERT_TRUE(eventually([&] { return recorded("a").size() == 1; }));
  EXPECT_EQ(told(fire("saga-a", "Capture")).failure().kind(), Failure::NOT_FOUND);
  EXPECT_EQ(told(fire("saga-b", "Lapse")).failure().kind(), Failure::NOT_FOUND);
  EXPECT_EQ(payment_.lapses, 0);
  EXPECT_TRUE(told(fire("saga-a", "Lapse")).has_done());
  ASSERT_TRUE(eventually([&] { return payment_.lapses == 1; }));
  ASSERT_EQ(acts_taken().size(), 1U);
  const auto act = acts_taken()[0];
  EXPECT_EQ(act.act(), "cancel");
  EXPECT_EQ(act.saga_id(), "saga-a");
  EXPECT_EQ(act.step(), "Lapse");
  EXPECT_EQ(act.message_id(), "");
  EXPECT_EQ(act.stuck_id(), "payment-saga-a");
  EXPECT_EQ(audit().at(0).act, "cancel");
  EXPECT_EQ(audit().at(0).message_id, "saga-a");
}

TEST_F(ControlTest, ATimerStepThatIsStuckIsTriedAgain) {
  start();
  publish(placed("a"));
  ASSERT_TRUE(eventually([&] { return recorded("a").size() == 1; }));
  EXPECT_TRUE(told(fire("saga-a", "Lapse", true)).has_done());
  ASSERT_TRUE(eventually([&] { return payment_.lapses == 1; }));
  EXPECT_EQ(acts_taken().at(0).act(), "retry");
  EXPECT_EQ(audit().at(0).act, "retry");
}

TEST_F(ControlTest, WhatAPersonDeclaresIsRecorded) {
  start();
  EXPECT_TRUE(told(note("saga-a", "resolve:COMPLETED")).has_done());
  EXPECT_TRUE(told(note("saga-a", "resolve:FAILED")).has_done());
  ASSERT_EQ(acts_taken().size(), 2U);
  EXPECT_EQ(acts_taken()[0].act(), "resolve:COMPLETED");
  EXPECT_EQ(acts_taken()[0].saga_id(), "saga-a");
  EXPECT_EQ(told(note("saga-a", "cancel")).failure().kind(), Failure::REFUSED);
  EXPECT_EQ(told(note("", "resolve:FAILED")).failure().kind(), Failure::REFUSED);
  ASSERT_TRUE(eventually([&] { return outbox() == 0; })) << "published like any event";
}

TEST_F(ControlTest, EveryFaultOfAQuestionIsAnAnswer) {
  start();
  const auto ask_at = [&](const std::string& subject, const std::string& bytes) {
    const auto answers = broker_.ask(subject, bytes, 1, std::chrono::seconds(10));
    Answer answer;
    EXPECT_TRUE(!answers.empty() && answer.ParseFromString(answers.front()));
    return answer.failure();
  };
  auto act = note("saga-a", "resolve:LOST");
  act.set_who("ada");
  act.set_why("why not");
  EXPECT_EQ(ask_at(control_subject("payment"), act.SerializeAsString()).kind(), Failure::REFUSED);
  EXPECT_EQ(ask_at(instances_subject, act.SerializeAsString()).kind(), Failure::REFUSED);
  EXPECT_TRUE(acts_taken().empty()) << "an act goes to the subject for acts";
  Ask question;
  question.mutable_list_stuck();
  EXPECT_EQ(ask_at(act_subject("payment"), question.SerializeAsString()).kind(), Failure::REFUSED);
  EXPECT_EQ(ask_at(instances_subject, question.SerializeAsString()).kind(), Failure::REFUSED);
  EXPECT_EQ(ask_at(control_subject("payment"), "\xff\xff").kind(), Failure::REFUSED);
  EXPECT_EQ(ask_at(control_subject("payment"), "").kind(), Failure::REFUSED);
  question.mutable_list_stuck()->set_limit(1);
  store_.fail_next_commit(memory::MemoryStore::Fault::before_commit);
  EXPECT_EQ(told(note("saga-a", "resolve:LOST")).failure().kind(), Failure::UNAVAILABLE);
  EXPECT_TRUE(acts_taken().empty());
  EXPECT_TRUE(audit().empty());
  stop();
  EXPECT_THROW(static_cast<void>(told(note("saga-a", "resolve:LOST"))), asking::Silent);
}

}  // namespace
}  // namespace quadrille
