// Questions and answers, and what can be seen of durables, on every broker.
#include "broker_contract.hpp"

#include <atomic>
#include <future>
#include <thread>

namespace quadrille {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class RequestReply : public BrokerContract {
 protected:
  static constexpr std::size_t all = 1'000;
};

TEST_P(RequestReply, AnswersAQuestionByteByByte) {
  const auto serving = broker().serve("quadrille.test.echo", "group", [](const std::string& q) { return "re: " + q; });
  const std::string odd("\0\xff\n", 3);
  EXPECT_EQ(broker().ask("quadrille.test.echo", odd, 1, seconds(10)), std::vector<std::string>{"re: " + odd});
  EXPECT_EQ(broker().ask("quadrille.test.echo", "", 1, seconds(10)), std::vector<std::string>{"re: "});
}

TEST_P(RequestReply, OneOfAGroupAnswersAndAllWithoutOne) {
  std::atomic<int> answered{0};
  const auto count = [&](const std::string&) { return std::to_string(++answered); };
  const auto one = broker().serve("quadrille.test.group", "group", count);
  const auto other = broker().serve("quadrille.test.group", "group", count);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(broker().ask("quadrille.test.group", "?", 1, seconds(10)).size(), 1U);
  EXPECT_EQ(broker().ask("quadrille.test.group", "?", all, milliseconds(200)).size(), 1U);
  EXPECT_EQ(answered, 21);
  const auto a = broker().serve("quadrille.test.each", "", [](const std::string&) { return "a"; });
  const auto b = broker().serve("quadrille.test.each", "", [](const std::string&) { return "b"; });
  auto each = broker().ask("quadrille.test.each", "?", 2, seconds(10));
  std::ranges::sort(each);
  EXPECT_EQ(each, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(broker().ask("quadrille.test.each", "?", all, milliseconds(200)).size(), 2U) << "until the time is up";
  EXPECT_EQ(broker().ask("quadrille.test.each", "?", 1, seconds(10)).size(), 1U) << "as many as are enough";
}

TEST_P(RequestReply, TellsAtOnceThatNobodyServesASubject) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(broker().ask("quadrille.test.nobody", "?", 1, seconds(20)).empty());
  static_cast<void>(broker().serve("quadrille.test.nobody", "", [](const std::string&) { return ""; }));
  EXPECT_TRUE(broker().ask("quadrille.test.nobody", "?", 1, seconds(20)).empty()) << "it is gone again";
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(10));
}

TEST_P(RequestReply, ASlowAnswerHoldsUpNeitherOthersNorDeliveries) {
  ensure({consumer("a", "evt.>")});
  std::promise<void> go_on;
  const auto gone_on = go_on.get_future().share();
  const auto slow = broker().serve("quadrille.test.slow", "", [gone_on](const std::string&) {
    gone_on.wait();
    return "late";
  });
  const auto quick = broker().serve("quadrille.test.quick", "", [](const std::string&) { return "soon"; });
  EXPECT_TRUE(broker().ask("quadrille.test.slow", "?", 1, milliseconds(100)).empty());
  EXPECT_EQ(broker().ask("quadrille.test.quick", "?", 1, seconds(10)), std::vector<std::string>{"soon"});
  publish({message("evt.1.order.order.E", "1")});
  const auto receiver = listening({"a"});
  EXPECT_EQ(receive(*receiver, 1).size(), 1U);
  go_on.set_value();
  EXPECT_EQ(broker().ask("quadrille.test.slow", "?", 1, seconds(10)), std::vector<std::string>{"late"});
}

TEST_P(RequestReply, IsAskedByManyAtOnce) {
  const auto serving = broker().serve("quadrille.test.many", "group", [](const std::string& q) { return q; });
  std::vector<std::jthread> askers;
  std::atomic<int> right{0};
  for (int asker = 0; asker < 4; ++asker)
    askers.emplace_back([&, asker] {
      for (int i = 0; i < 50; ++i) {
        const auto question = std::to_string(asker) + "/" + std::to_string(i);
        const auto answers = broker().ask("quadrille.test.many", question, 1, seconds(10));
        right += answers == std::vector<std::string>{question} ? 1 : 0;
      }
    });
  askers.clear();
  EXPECT_EQ(right, 200);
}

TEST_P(RequestReply, ShowsHowFarADurableHasCome) {
  ensure({consumer("a", "evt.1.>"), consumer("b", "evt.2.>")});
  publish({message("evt.1.order.order.E", "1")});
  publish({message("evt.2.order.order.E", "2")});
  publish({message("evt.1.order.order.E", "3")});
  const auto seen = [&](const std::string& name) {
    const std::vector<std::string> names{name, "nobody"};
    const auto progress = broker().progress(names);
    EXPECT_EQ(progress.size(), 1U) << "what is not there is left out";
    return progress.empty() ? ConsumerProgress{} : progress.front();
  };
  EXPECT_EQ(seen("a").pending, 2U);
  EXPECT_EQ(seen("a").delivered, 0U);
  const auto receiver = listening({"a"});
  const auto held = receive(*receiver, 2);
  ASSERT_EQ(held.size(), 2U);
  EXPECT_EQ(seen("a").pending, 0U);
  EXPECT_EQ(seen("a").unacknowledged, 2U);
  EXPECT_EQ(seen("a").delivered, held[1].sequence);
  EXPECT_LT(seen("a").ack_floor, held[0].sequence);
  receiver->ack(std::span(held).first(1));
  const auto again = receive(*receiver, 1);
  ASSERT_EQ(payloads(again), std::vector<std::string>{"3"});
  EXPECT_EQ(seen("a").unacknowledged, 1U);
  EXPECT_EQ(seen("a").redelivered, 1U);
  EXPECT_GE(seen("a").ack_floor, held[0].sequence);
  EXPECT_LT(seen("a").ack_floor, held[1].sequence);
  EXPECT_EQ(seen("b").pending, 1U);
  EXPECT_TRUE(broker().progress({}).empty());
}

INSTANTIATE_TEST_SUITE_P(Brokers, RequestReply, every_broker(), name_of_kind);

}  // namespace
}  // namespace quadrille
