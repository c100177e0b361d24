// What is stuck says so, and goes on when a person has decided.
#include "payment_bench.hpp"
#include "quadrille/v1/supervision_events.pb.h"
#include "runtime/acts.hpp"

namespace quadrille {
namespace {

class Supervision : public PaymentBench {
 protected:
  /// Everything said under `supervision`, in order.
  std::vector<Event> said() {
    const auto transaction = store_.begin();
    std::vector<Event> events;
    for (auto& [position, event] : transaction->events().read_all({}, 10'000))
      if (event.stream.category == "supervision") events.push_back(std::move(event));
    return events;
  }
  Names names_said() {
    Names names;
    for (const auto& event : said()) names.push_back(event.type);
    return names;
  }
  template <class Type>
  static Type parsed(const Event& event) {
    Type content;
    EXPECT_EQ(event.type, content.GetTypeName());
    EXPECT_TRUE(content.ParseFromString(event.payload));
    return content;
  }
  std::vector<AuditTrail::Entry> audit() { return store_.begin()->audit().newest(100); }
  runtime::Acts because(const std::string& why) { return {store_, clock_, {"payment", "c0ffee"}, {"ada", why}}; }
  std::vector<WaitingMessage> parked() { return store_.begin()->inbox().look("payment", {.stuck = true}, 100); }

  /// Steps for order "bad" fail until `mended_`.
  void fail_until_mended() {
    payment_.before = [this](const std::string& key) {
      if (key == "bad" && !mended_) throw std::runtime_error("card network away, password=s3cret");
    };
  }

  static inline const std::string stuck = "quadrille.v1.StepStuck";
  static inline const std::string resumed = "quadrille.v1.StepResumed";
  static inline const std::string acted = "quadrille.v1.ActTaken";
  std::atomic<bool> mended_{false};
};

TEST_F(Supervision, IsToldWhichStepOfWhichSagaIsStuckWhyAndSinceWhen) {
  fail_until_mended();
  start();
  const auto order = placed("bad");
  publish(order);
  ASSERT_TRUE(eventually([&] { return !said().empty(); }));
  ASSERT_TRUE(eventually([&] { return outbox() == 0; })) << "it goes the way of every event";
  stop();
  const auto events = said();
  ASSERT_EQ(events.size(), 1U);
  const auto& event = events.front();
  EXPECT_EQ(event.stream.text(), "supervision-payment-" + order.id);
  EXPECT_EQ(event.subject, "evt." + std::to_string(lane_of("payment-" + order.id)) + ".supervision.payment.StepStuck");
  EXPECT_EQ(event.version, 1U);
  EXPECT_EQ(event.saga_id, "saga-bad");
  EXPECT_EQ(event.causation_id, order.id);
  const auto content = parsed<v1::StepStuck>(event);
  EXPECT_EQ(content.saga_id(), "saga-bad");
  EXPECT_EQ(content.participant(), "payment");
  EXPECT_EQ(content.step(), "Authorize");
  EXPECT_EQ(content.message_id(), order.id);
  EXPECT_EQ(content.event_type(), "shop.order.v1.OrderPlaced");
  EXPECT_EQ(content.reason_class(), v1::TECHNICAL);
  EXPECT_EQ(content.last_error(), "card network away, password=***");
  EXPECT_EQ(content.attempts(), 3U);
  EXPECT_GT(content.first_failed_at().seconds(), 0);
  EXPECT_TRUE(content.parked());
  EXPECT_TRUE(recorded("bad").empty()) << "no version of the aggregate's own stream is used up";
}

TEST_F(Supervision, NamesTheClassOfWhatWentWrong) {
  payment_.before = [](const std::string& key) {
    if (key == "business") throw NotYet("nothing is authorized");
    if (key == "contract") throw Error(Disposition::park, "no", ReasonClass::contract);
    if (key == "overload") throw Error(Disposition::retry, "all connections in use", ReasonClass::overload);
  };
  start();
  for (const auto& [key, expected] : std::map<std::string, v1::ReasonClass>{
           {"business", v1::BUSINESS}, {"contract", v1::CONTRACT}, {"overload", v1::OVERLOAD}}) {
    publish(placed(key));
    ASSERT_TRUE(eventually([&key = key, this] { return !said().empty() && said().back().saga_id == "saga-" + key; }));
    EXPECT_EQ(parsed<v1::StepStuck>(said().back()).reason_class(), expected) << key;
  }
}

TEST_F(Supervision, IsToldOnceThoughACommitFailsOrIsInDoubt) {
  using Fault = memory::MemoryStore::Fault;
  payment_.before = [](const std::string&) { throw Error(Disposition::park, "never"); };
  std::size_t before = 0;
  for (const auto fault : {Fault::before_commit, Fault::after_commit}) {
    const auto key = new_uuid();
    start();
    publish(placed(key));
    store_.fail_next_commit(fault);
    ASSERT_TRUE(eventually([&] { return said().size() > before; }));
    stop();
    EXPECT_TRUE(waits({"order", key}));
    EXPECT_EQ(said().size(), ++before) << "parked and said in one transaction";
  }
}

TEST_F(Supervision, HearsOfACompensationPastItsPatienceThatIsTriedOn) {
  payment_.before = [this](const std::string&) {
    if (!mended_) throw std::runtime_error("away");
  };
  start();
  publish(refused("a"));
  ASSERT_TRUE(eventually([&] { return payment_.calls > 5; }));
  EXPECT_EQ(names_said(), Names{stuck}) << "once";
  EXPECT_FALSE(parsed<v1::StepStuck>(said().front()).parked());
  EXPECT_EQ(parsed<v1::StepStuck>(said().front()).attempts(), 3U);
  ASSERT_EQ(parked().size(), 1U);
  mended_ = true;
  ASSERT_TRUE(eventually([&] { return recorded("a") == Names{"PaymentVoided"}; }));
  ASSERT_TRUE(eventually([&] { return names_said() == Names{stuck, resumed}; }));
  EXPECT_EQ(parsed<v1::StepResumed>(said().back()).how(), v1::StepResumed::HANDLED);
  EXPECT_EQ(said().back().version, 2U);
  EXPECT_TRUE(parked().empty());
}

TEST_F(Supervision, HearsOfATimerPastItsPatienceThatIsTriedOn) {
  settings_.timeouts["Lapse"] = std::chrono::milliseconds(1);
  payment_.before = [this](const std::string& key) {
    if (key == "lapse" && !mended_) throw std::runtime_error("away");
  };
  start();
  publish(placed("a"));
  ASSERT_TRUE(eventually([&] { return payment_.lapses > 4; }));
  EXPECT_EQ(names_said(), Names{stuck}) << "once";
  const auto content = parsed<v1::StepStuck>(said().front());
  EXPECT_EQ(content.step(), "Lapse");
  EXPECT_EQ(content.event_type(), "quadrille.v1.Timer");
  EXPECT_EQ(content.message_id(), "") << "no message waits that a person could retry";
  EXPECT_EQ(content.saga_id(), "saga-a");
  EXPECT_FALSE(content.parked());
  mended_ = true;
  ASSERT_TRUE(eventually([&] { return names_said() == Names{stuck, resumed}; }));
}

TEST_F(Supervision, ARetriedMessageIsHandledBeforeWhatStandsBehindIt) {
  fail_until_mended();
  start();
  const auto order = placed("bad", 1);
  publish(order);
  publish(confirmed("bad", 2));
  publish(confirmed("bad", 3));
  ASSERT_TRUE(eventually([&] { return names_said() == Names{stuck}; }));
  ASSERT_TRUE(because("let us see").retry(order.id));
  ASSERT_TRUE(eventually([&] {
    return names_said() == (Names{stuck, acted, stuck});
  })) << "not mended: parked again, said again";
  EXPECT_EQ(applied({"order", "bad"}), 0U) << "nothing has overtaken it";
  mended_ = true;
  ASSERT_TRUE(because("it is mended").retry(order.id));
  ASSERT_TRUE(eventually([&] { return applied({"order", "bad"}) == 3; }));
  EXPECT_EQ(recorded("bad"), Names{"PaymentAuthorized"});
  EXPECT_EQ(names_said(), (Names{stuck, acted, stuck, acted, resumed}));
  EXPECT_TRUE(parked().empty());
  ASSERT_EQ(audit().size(), 2U);
  EXPECT_EQ(audit().back().act, "retry");
  EXPECT_EQ(audit().back().who, "ada");
  EXPECT_EQ(audit().back().message_id, order.id);
  EXPECT_EQ(audit().back().why, "let us see");
  EXPECT_FALSE(because("again").retry(order.id)) << "it is not stuck any more";
}

TEST_F(Supervision, ADiscardedMessageLetsItsStreamGoOnWithoutIt) {
  fail_until_mended();
  start();
  const auto order = placed("bad", 1);
  publish(order);
  publish(confirmed("bad", 2));
  ASSERT_TRUE(eventually([&] { return !said().empty(); }));
  ASSERT_TRUE(because("paid in cash").discard(order.id));
  ASSERT_TRUE(eventually([&] { return applied({"order", "bad"}) == 2; }));
  EXPECT_FALSE(waits({"order", "bad"}));
  EXPECT_TRUE(recorded("bad").empty());
  ASSERT_EQ(names_said(), (Names{stuck, acted, resumed}));
  const auto content = parsed<v1::StepResumed>(said().back());
  EXPECT_EQ(content.how(), v1::StepResumed::DISCARDED);
  EXPECT_EQ(content.because(), "paid in cash");
  EXPECT_EQ(said().back().saga_id, "saga-bad");
  ASSERT_EQ(audit().size(), 1U);
  EXPECT_EQ(audit().front().act, "discard");
  EXPECT_EQ(audit().front().why, "paid in cash");
  ASSERT_TRUE(eventually([&] { return outbox() == 0; })) << "the service publishes what the tool recorded";
}

TEST_F(Supervision, NoMessageIsDiscardedOverAnOlderOneThatWaits) {
  WaitingMessage older;
  older.message_id = "m1";
  older.stream = {"order", "a"};
  older.version = 1;
  older.state = Waiting::retry;
  older.due_at = TimePoint::max();
  auto newer = older;
  newer.message_id = "m2";
  newer.version = 2;
  newer.state = Waiting::parked;
  newer.stuck = true;
  const auto transaction = store_.begin();
  transaction->inbox().put_waiting("payment", std::vector{older, newer});
  transaction->commit();
  EXPECT_THROW(static_cast<void>(because("why not").discard("m2")), Error);
  EXPECT_FALSE(because("why not").discard("m1")) << "it is not stuck";
  EXPECT_FALSE(because("why not").discard("nobody"));
  EXPECT_TRUE(waits({"order", "a"}));
  EXPECT_TRUE(audit().empty());
}

TEST_F(Supervision, WhatNobodyCanReadIsListedAndMayBeRetriedOrDiscarded) {
  start();
  auto unreadable = to_message(placed("p1"));
  unreadable.headers.erase("ce-version");
  publish(unreadable);
  auto unknown = placed("p2");
  unknown.type = "shop.order.v9.OrderTeleported";
  publish(unknown);
  ASSERT_TRUE(eventually([&] { return parked().size() == 2; }));
  for (const auto& message : parked()) EXPECT_TRUE(because("a new version").retry(message.message_id));
  ASSERT_TRUE(eventually([&] {
    const auto again = parked();
    return std::ranges::all_of(again, [](const auto& message) { return message.state == Waiting::parked; });
  }));
  EXPECT_EQ(parked().size(), 2U) << "still unreadable: nothing is lost by trying";
  for (const auto& message : parked()) EXPECT_TRUE(because("nonsense").discard(message.message_id));
  EXPECT_TRUE(parked().empty());
  for (const auto& event : said()) EXPECT_EQ(event.saga_id, "saga-p2") << "the other one names no saga";
}

}  // namespace
}  // namespace quadrille
