#include "core/uuid.hpp"
#include "embedded/nats_server.hpp"
#include "embedded/probe.hpp"
#include "jetstream/ack_subject.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "quadrille/error.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <mutex>
#include <set>

namespace quadrille {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class JetStream : public ::testing::Test {
 protected:
  std::unique_ptr<Broker> connect(const std::string& url, milliseconds timeout = seconds(10)) {
    return jetstream::connect({.url = url,
                               .client_name = "tester",
                               .connect_timeout = timeout,
                               .publish_timeout = milliseconds(700),
                               .warn = [this](const std::string& text) {
                                 const std::scoped_lock lock(mutex_);
                                 warnings_ += text + "\n";
                               }});
  }
  std::string warnings() {
    const std::scoped_lock lock(mutex_);
    return warnings_;
  }
  static Topology topology() {
    Topology topology;
    ConsumerSpec consumer;
    consumer.name = "tester-order-1";
    consumer.filter = "evt.1.order.>";
    consumer.ack_wait = seconds(2);
    topology.consumers.push_back(consumer);
    return topology;
  }
  static Published publish(Broker& broker, const std::string& payload,
                           const std::string& subject = "evt.1.order.order.E") {
    const Message message{subject, {{"Nats-Msg-Id", new_uuid()}}, payload};
    return broker.publish(std::span(&message, 1)).front();
  }
  static std::string stop_text(const std::function<void()>& doing) {
    try {
      doing();
    } catch (const Error& error) {
      EXPECT_EQ(error.disposition(), Disposition::stop);
      return error.what();
    }
    return "nothing was wrong";
  }

  embedded::TemporaryFolder folder_;

 private:
  std::mutex mutex_;
  std::string warnings_;
};

TEST_F(JetStream, GoesOnByItselfWhenTheServerWasKilledAndCameBack) {
  embedded::NatsServer server({.folder = folder_.path()});
  const auto broker = connect(server.url());
  broker->ensure(topology());
  const auto receiver = broker->receiver();
  receiver->listen({"tester-order-1"});
  std::set<std::string> wanted;
  std::set<std::string> heard;
  const auto end = std::chrono::steady_clock::now() + seconds(60);
  for (int i = 0; i < 60; ++i) {
    if (i == 20 || i == 40) {
      server.kill();
      server.start();
    }
    const auto payload = std::to_string(i);
    wanted.insert(payload);
    const Message message{"evt.1.order.order.E", {{"Nats-Msg-Id", "id-" + payload}}, payload};
    while (broker->publish(std::span(&message, 1)).front() != Published::stored)
      ASSERT_LT(std::chrono::steady_clock::now(), end);
    for (const auto& delivery : receiver->receive(100, milliseconds(1))) {
      heard.insert(delivery.message.payload);
      receiver->ack(std::span(&delivery, 1));
    }
  }
  while (heard != wanted && std::chrono::steady_clock::now() < end)
    for (const auto& delivery : receiver->receive(100, milliseconds(100))) {
      heard.insert(delivery.message.payload);
      receiver->ack(std::span(&delivery, 1));
    }
  EXPECT_EQ(heard, wanted);
}

TEST_F(JetStream, SaysWhereItCouldNotConnectAndKeepsThePasswordToItself) {
  const auto port = std::to_string(embedded::free_port());
  const auto text = stop_text([&] { connect("nats://shop:s3cret@127.0.0.1:" + port, milliseconds(300)); });
  EXPECT_NE(text.find("cannot reach NATS at nats://shop:***@127.0.0.1:" + port + " (setting nats_url)"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("s3cret"), std::string::npos);
}

TEST_F(JetStream, AnswersRefusedForASubjectTheServerForbids) {
  const embedded::NatsServer server(
      {.folder = folder_.path(),
       .extra_config = R"(authorization { users: [ { user: "shop", password: "pw", permissions: {
      publish: { allow: ["evt.*.order.>", "$JS.API.>", "$JS.ACK.>"] }, subscribe: { allow: ["_INBOX_tester.>"] } } } ] })"});
  const auto broker = connect("nats://shop:pw@127.0.0.1:" + server.url().substr(server.url().rfind(':') + 1));
  broker->ensure(topology());
  EXPECT_EQ(publish(*broker, "mine"), Published::stored);
  EXPECT_EQ(publish(*broker, "not mine", "evt.1.payment.payment.E"), Published::refused);
  EXPECT_EQ(publish(*broker, "mine again"), Published::stored);
}

TEST_F(JetStream, SaysThatJetStreamIsOff) {
  const embedded::NatsServer server({.folder = folder_.path(), .extra_config = "jetstream: disabled"});
  const auto broker = connect(server.url());
  const auto text = stop_text([&] { broker->ensure(topology()); });
  EXPECT_NE(text.find("is JetStream enabled on the server"), std::string::npos) << text;
}

TEST_F(JetStream, SaysThatTheUserMayNotMakeTheTopology) {
  const embedded::NatsServer server(
      {.folder = folder_.path(),
       .extra_config = R"(authorization { users: [ { user: "shop", password: "pw", permissions: {
      publish: { deny: ["$JS.API.>"] } } } ] })"});
  const auto broker = connect("nats://shop:pw@127.0.0.1:" + std::to_string(server.port()));
  const auto text = stop_text([&] { broker->ensure(topology()); });
  EXPECT_NE(text.find("does not let this user publish to $JS.API.STREAM.INFO.EVT"), std::string::npos) << text;
}

TEST_F(JetStream, WaitsForAClusterThatIsBeingPutTogether) {
  const int routes[] = {embedded::free_port(), embedded::free_port()};
  const auto cluster = [&](int own) {
    return "cluster { name: c, listen: \"127.0.0.1:" + std::to_string(routes[own]) +
           "\", routes: [ \"nats://127.0.0.1:" + std::to_string(routes[0]) +
           "\", \"nats://127.0.0.1:" + std::to_string(routes[1]) + "\" ] }";
  };
  const embedded::NatsServer first({.folder = folder_.path() / "1", .name = "n1", .extra_config = cluster(0)});
  const auto broker = connect(first.url());
  auto replicated = topology();
  replicated.replicas = 2;
  auto made = std::async(std::launch::async, [&] { broker->ensure(replicated); });
  // Longer than a server by itself is given: a leader needs both.
  EXPECT_EQ(made.wait_for(seconds(6)), std::future_status::timeout);
  const embedded::NatsServer second({.folder = folder_.path() / "2", .name = "n2", .extra_config = cluster(1)});
  EXPECT_NO_THROW(made.get());
}

TEST_F(JetStream, NamesWhatIsDifferentInAStreamAndHowToMendIt) {
  const embedded::NatsServer server({.folder = folder_.path()});
  const auto broker = connect(server.url());
  broker->ensure(topology());
  auto other = topology();
  other.duplicate_window = seconds(30);
  const auto text = stop_text([&] { broker->ensure(other); });
  for (const auto* part :
       {"stream EVT", "duplicate_window: wanted 30000000000, found 600000000000", "nats stream edit"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST_F(JetStream, NamesTheReplicasThatAStreamHasTooFewOf) {
  const embedded::NatsServer server({.folder = folder_.path()});
  const auto broker = connect(server.url());
  auto replicated = topology();
  replicated.replicas = 3;
  const auto alone = stop_text([&] { broker->ensure(replicated); });
  EXPECT_NE(alone.find("stream EVT cannot have 3 replicas (setting replicas)"), std::string::npos) << alone;
  broker->ensure(topology());
  const auto different = stop_text([&] { broker->ensure(replicated); });
  EXPECT_NE(different.find("num_replicas: wanted 3, found 1"), std::string::npos) << different;
}

TEST_F(JetStream, TakesItsLimitOfAMessageFromTheServer) {
  const embedded::NatsServer server({.folder = folder_.path(), .extra_config = "max_payload: 2048"});
  EXPECT_EQ(connect(server.url())->max_message_bytes(), 2048U);
}

TEST_F(JetStream, AnswersUnknownWhileNobodyStoresTheSubject) {
  const embedded::NatsServer server({.folder = folder_.path()});
  const auto broker = connect(server.url());
  EXPECT_EQ(publish(*broker, "too early"), Published::unknown);
  broker->ensure(topology());
  EXPECT_EQ(publish(*broker, "now"), Published::stored);
}

TEST_F(JetStream, ReadsAStreamForToolsAndLeavesNothingBehind) {
  const embedded::NatsServer server({.folder = folder_.path()});
  const auto broker = connect(server.url());
  broker->ensure(topology());
  const jetstream::JetStreamSettings settings{.url = server.url(), .client_name = "reader"};
  std::vector<std::string> read;
  const auto take = [&](const Delivery& delivery) { read.push_back(delivery.message.payload); };
  jetstream::read_stream(settings, "EVT", "evt.>", take);
  EXPECT_TRUE(read.empty());
  for (const auto* payload : {"1", "2", "3"}) ASSERT_EQ(publish(*broker, payload), Published::stored);
  jetstream::read_stream(settings, "EVT", "evt.>", take);
  EXPECT_EQ(read, (std::vector<std::string>{"1", "2", "3"}));
  read.clear();
  ASSERT_EQ(publish(*broker, "other", "evt.2.payment.payment.E"), Published::stored);
  jetstream::read_stream(settings, "EVT", "evt.*.order.>", take);
  EXPECT_EQ(read.size(), 3U);
}

TEST_F(JetStream, DoesNotTakeHalfOfAStreamForAll) {
  embedded::NatsServer server({.folder = folder_.path()});
  const auto broker = connect(server.url());
  broker->ensure(topology());
  // More than the server sends ahead of what is taken.
  constexpr std::size_t all = 1'000;
  const std::string payload(100'000, 'x');
  std::vector<Message> messages;
  for (std::size_t i = 0; i < all; ++i)
    messages.push_back({"evt.1.order.order.E", {{"Nats-Msg-Id", std::to_string(i)}}, payload});
  for (std::size_t begin = 0; begin < all; begin += 50)
    static_cast<void>(broker->publish(std::span(messages).subspan(begin, 50)));
  std::size_t read = 0;
  const auto settings = jetstream::JetStreamSettings{
      .url = server.url(), .client_name = "reader", .connect_timeout = seconds(2), .warn = [](const auto&) {}};
  try {
    jetstream::read_stream(settings, "EVT", "evt.>", [&](const Delivery&) {
      if (++read == 1) server.kill();
    });
    FAIL() << "took " << read << " messages for all";
  } catch (const Error& error) {
    EXPECT_LT(read, all);
    EXPECT_NE(std::string(error.what()).find("is silent after"), std::string::npos) << error.what();
  }
  server.start();
  read = 0;
  jetstream::read_stream(settings, "EVT", "evt.>", [&](const Delivery&) { ++read; });
  EXPECT_EQ(read, all);
}

TEST(AckSubject, IsReadInBothItsForms) {
  const auto first = jetstream::parse_ack_subject("$JS.ACK.EVT.payment-order-3.2.17.9.1796122091000000000.5");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->consumer, "payment-order-3");
  EXPECT_EQ(first->deliveries, 2U);
  EXPECT_EQ(first->sequence, 17U);
  const auto second =
      jetstream::parse_ack_subject("$JS.ACK._.hash.EVT.payment-order-3.2.17.9.1796122091000000000.5.random");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->consumer, "payment-order-3");
  EXPECT_EQ(second->sequence, 17U);
  for (const auto* other : {"", "_INBOX.x", "$JS.ACK.EVT.c.x.17.9.1.5", "$JS.ACK.too.short"})
    EXPECT_FALSE(jetstream::parse_ack_subject(other)) << other;
}

}  // namespace
}  // namespace quadrille
