// Every promise of core/broker.hpp about the stream, on every broker; those about questions: request_reply_test.cpp.
#include "broker_contract.hpp"

#include "core/subject.hpp"
#include "quadrille/error.hpp"

namespace quadrille {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_P(BrokerContract, DeliversToEachConsumerWhatItsFilterTakesInOrder) {
  ensure({consumer("a", lane_filter(1, "order")), consumer("b", lane_filter(2, "order")),
          consumer("c", lane_filter(1, "order"))});
  publish({message("evt.1.order.order.E", "1")});
  publish({message("evt.2.order.order.E", "2")});
  publish({message("evt.1.order.other.F", "3")});
  publish({message("evt.1.payment.payment.E", "4")});
  const auto a = listening({"a"});
  const auto b = listening({"b"});
  const auto c = listening({"c"});
  EXPECT_EQ(payloads(receive(*a, 2)), (std::vector<std::string>{"1", "3"}));
  EXPECT_EQ(payloads(receive(*b, 1)), std::vector<std::string>{"2"});
  EXPECT_EQ(payloads(receive(*c, 2)), (std::vector<std::string>{"1", "3"}));
  EXPECT_TRUE(a->receive(10, milliseconds(50)).empty());
}

TEST_P(BrokerContract, SaysHowManyMessagesWaitBehindADelivery) {
  ensure({consumer("a", lane_filter(1, "order"))});
  for (const auto* payload : {"1", "2", "3"}) publish({message("evt.1.order.order.E", payload)});
  publish({message("evt.2.order.order.E", "of another lane")});
  const auto receiver = listening({"a"});
  std::vector<std::uint64_t> pending;
  for (const auto& delivery : receive(*receiver, 3)) pending.push_back(delivery.pending);
  EXPECT_EQ(pending, (std::vector<std::uint64_t>{2, 1, 0}));
}

TEST_P(BrokerContract, KeepsHeadersAndPayloadAsTheyWere) {
  ensure({consumer("a", "evt.>")});
  auto sent = message("evt.1.order.order.E", std::string("\0\xff", 2));
  sent.headers["ce-odd"] = "spaces, \"quotes\": colons; \xc3\xa9";
  auto empty = message("evt.1.order.order.E", "");
  publish({sent});
  publish({empty});
  const auto receiver = listening({"a"});
  const auto received = receive(*receiver, 2);
  ASSERT_EQ(received.size(), 2U);
  EXPECT_EQ(received[0].message, sent);
  EXPECT_EQ(received[1].message, empty);
  EXPECT_EQ(received[0].consumer, "a");
  EXPECT_LT(received[0].sequence, received[1].sequence);
}

TEST_P(BrokerContract, StoresAMessageIdOnce) {
  ensure({consumer("a", "evt.>")});
  const auto once = message("evt.1.order.order.E", "once");
  publish({once});
  publish({once});
  publish({message("evt.1.order.order.E", "end")});
  const auto receiver = listening({"a"});
  EXPECT_EQ(payloads(receive(*receiver, 2)), (std::vector<std::string>{"once", "end"}));
}

TEST_P(BrokerContract, DeliversAgainWhatIsNotAcknowledgedInTime) {
  ensure({consumer("a", "evt.>")});
  publish({message("evt.1.order.order.E", "1")});
  publish({message("evt.1.order.order.E", "2")});
  const auto receiver = listening({"a"});
  const auto first = receive(*receiver, 2);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].attempt, 1U);
  receiver->ack(std::span(first).subspan(1, 1));
  const auto again = receive(*receiver, 1);
  ASSERT_EQ(payloads(again), std::vector<std::string>{"1"});
  EXPECT_EQ(again[0].attempt, 2U);
  receiver->ack(again);
  EXPECT_TRUE(receiver->receive(1, milliseconds(700)).empty());
}

TEST_P(BrokerContract, GivesMoreTimeToWhatIsKept) {
  ensure({consumer("a", "evt.>")});
  publish({message("evt.1.order.order.E", "1")});
  const auto receiver = listening({"a"});
  const auto held = receive(*receiver, 1);
  const auto end = std::chrono::steady_clock::now() + milliseconds(900);  // three times its ack wait
  while (std::chrono::steady_clock::now() < end) {
    receiver->keep(held);
    EXPECT_TRUE(receiver->receive(1, milliseconds(50)).empty());
  }
  receiver->ack(held);
  EXPECT_TRUE(receiver->receive(1, milliseconds(500)).empty());
}

TEST_P(BrokerContract, LetsAnotherHaveAtOnceWhatIsGivenBackOrNoLongerRead) {
  auto patient = consumer("a", "evt.>");
  patient.ack_wait = seconds(60);
  ensure({patient});
  std::vector<std::string> all;
  for (int i = 0; i < 100; ++i) {
    all.push_back(std::to_string(i));
    publish({message("evt.1.order.order.E", all.back())});
  }
  const auto one = listening({"a"});
  one->give_back(receive(*one, 1));  // the others it may have fetched as well, and has more asked for
  one->listen({});
  const auto two = listening({"a"});
  auto got = payloads(receive(*two, all.size()));  // sooner than the ack wait
  std::ranges::sort(got);
  std::ranges::sort(all);
  EXPECT_EQ(got, all);
}

TEST_P(BrokerContract, StartsANewConsumerWithNewMessagesUnlessItWantsAll) {
  ensure({});
  publish({message("evt.1.order.order.E", "before")});
  auto late = consumer("late", "evt.>");
  late.from_beginning = false;
  ensure({late, consumer("all", "evt.>")});
  publish({message("evt.1.order.order.E", "after")});
  const auto new_ones = listening({"late"});
  const auto everything = listening({"all"});
  EXPECT_EQ(payloads(receive(*new_ones, 1)), std::vector<std::string>{"after"});
  EXPECT_EQ(payloads(receive(*everything, 2)), (std::vector<std::string>{"before", "after"}));
}

TEST_P(BrokerContract, SaysUpToWhereEverythingIsAcknowledgedAndWhenADurableWasMade) {
  ensure({consumer("a", "evt.1.>")});
  const auto progress = [&] {
    const std::string name = "a";
    return broker().progress(std::span(&name, 1)).at(0);
  };
  const auto made = progress().made;
  EXPECT_FALSE(made.empty());
  publish({message("evt.1.order.order.E", "first")});
  publish({message("evt.2.order.order.E", "not for it")});
  publish({message("evt.1.order.order.E", "second")});
  const auto receiver = listening({"a"});
  const auto both = receive(*receiver, 2);
  ASSERT_EQ(both.size(), 2U);
  const auto acknowledged_up_to = [&](std::uint64_t sequence) {
    const auto end = std::chrono::steady_clock::now() + seconds(10);
    while (progress().ack_floor < sequence && std::chrono::steady_clock::now() < end) receiver->keep(both);
    return progress().ack_floor;
  };
  receiver->ack(std::span(&both[1], 1));
  EXPECT_LT(progress().ack_floor, both[0].sequence);
  receiver->ack(std::span(&both[0], 1));
  EXPECT_GE(acknowledged_up_to(both[1].sequence), both[1].sequence);
  ensure({consumer("a", "evt.1.>")});
  EXPECT_EQ(progress().made, made);
}

TEST_P(BrokerContract, ReadsFromManyConsumersAndFollowsChangesOfTheSet) {
  std::vector<ConsumerSpec> specs;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane)
    specs.push_back(consumer(consumer_name("p", "order", lane), lane_filter(lane, "order")));
  ensure(specs);
  std::vector<Message> messages;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane)
    messages.push_back(message("evt." + std::to_string(lane) + ".order.order.E", std::to_string(lane)));
  publish(messages);
  std::vector<std::string> all;
  for (const auto& spec : specs) all.push_back(spec.name);
  const auto receiver = listening(all);
  const auto received = receive(*receiver, lane_count);
  EXPECT_EQ(received.size(), lane_count);
  receiver->ack(received);
  receiver->listen({"p-order-3"});
  publish({message("evt.4.order.order.E", "not heard")});
  publish({message("evt.3.order.order.E", "heard")});
  EXPECT_EQ(payloads(receive(*receiver, 1)), std::vector<std::string>{"heard"});
}

TEST_P(BrokerContract, TakesAThousandInOneCallAndKeepsTheirOrder) {
  ensure({consumer("a", "evt.>")});
  std::vector<Message> messages;
  for (int i = 0; i < 1'000; ++i) messages.push_back(message("evt.1.order.order.E", std::to_string(i)));
  publish(messages);
  const auto receiver = listening({"a"});
  std::vector<Delivery> received;
  while (received.size() < messages.size()) {
    const auto some = receive(*receiver, 100);
    ASSERT_FALSE(some.empty());
    receiver->ack(some);
    for (const auto& delivery : some)
      if (delivery.attempt == 1) received.push_back(delivery);
  }
  for (std::size_t i = 0; i < received.size(); ++i) EXPECT_EQ(received[i].message.payload, std::to_string(i));
}

TEST_P(BrokerContract, AcceptsATopologyThatIsThereAndSaysWhatDiffers) {
  ensure({consumer("a", "evt.1.>")});
  ensure({consumer("a", "evt.1.>")});
  try {
    ensure({consumer("a", "evt.2.>")});
    ADD_FAILURE() << "a mismatch was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::stop);
    const std::string text = error.what();
    for (const auto* part : {"consumer a", "filter_subject", "evt.2.>", "evt.1.>"})
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

TEST_P(BrokerContract, SaysHowMuchAMessageMayHold) {
  EXPECT_EQ(broker().max_message_bytes(), 1U << 20);
  EXPECT_TRUE(broker().connected());
}

INSTANTIATE_TEST_SUITE_P(Brokers, BrokerContract, every_broker(), name_of_kind);

}  // namespace
}  // namespace quadrille
