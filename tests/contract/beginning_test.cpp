// Where streams begin for a participant that starts with new events: in memory and on real servers.
#include "contract/topology.hpp"
#include "embedded/nats_server.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "postgres/postgres_store.hpp"
#include "runtime/loops.hpp"
#include "support/temporary_database.hpp"
#include "unit/runtime/payment_bench.hpp"

#include <algorithm>
#include <ostream>

namespace quadrille {
namespace {

using std::chrono::milliseconds;

/// A store and a broker, empty.
class Ports {
 public:
  virtual ~Ports() = default;
  virtual Store& store() = 0;
  virtual Broker& broker() = 0;
  virtual void delete_durable(const std::string& name) = 0;
};

class InMemory final : public Ports {
 public:
  Store& store() override { return store_; }
  Broker& broker() override { return broker_; }
  void delete_durable(const std::string& name) override { broker_.delete_durable(name); }

 private:
  SystemClock clock_;
  memory::MemoryStore store_{clock_};
  memory::MemoryBroker broker_;
};

class OnServers final : public Ports {
 public:
  Store& store() override { return *store_; }
  Broker& broker() override { return *broker_; }
  void delete_durable(const std::string& name) override {
    const auto answers = broker_->ask("$JS.API.CONSUMER.DELETE.EVT." + name, "", 1, std::chrono::seconds(5));
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_NE(answers[0].find("\"success\":true"), std::string::npos) << answers[0];
  }

 private:
  embedded::TemporaryFolder folder_;
  embedded::NatsServer server_{{.folder = folder_.path()}};
  support::TemporaryDatabase database_;
  std::unique_ptr<Store> store_ = postgres::connect({.url = database_.service_url(), .application_name = "payment"});
  std::unique_ptr<Broker> broker_ = jetstream::connect({.url = server_.url(), .client_name = "payment"});
};

struct Kind {
  const char* name;
  std::unique_ptr<Ports> (*make)();
  friend void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }
};

class BeginsWithNewEvents : public PaymentBench, public ::testing::WithParamInterface<Kind> {
 protected:
  static constexpr milliseconds gap_wait{100};
  const StreamName stream_{"order", "a"};
  const std::string durable_ = consumer_name("payment", "order", lane_of("a"));

  void TearDown() override { loops_.reset(); }

  void deploy() { ports_->broker().ensure(contract::topology_of(part().declared())); }
  void run() {
    loops_.emplace(part(), runtime::Loops::Ports{ports_->store(), source_, ports_->broker(), ports_->broker(), clock_},
                   log_, instruments_, *this,
                   runtime::Loops::Settings{.instance = "one", .retry = {.gap_wait = gap_wait}, .poll = gap_wait / 4});
  }
  void send(Event event) {
    event.contract = part().fingerprint();
    const auto message = to_message(event);
    for (const auto answer : ports_->broker().publish(std::span(&message, 1))) ASSERT_EQ(answer, Published::stored);
  }
  std::uint64_t version_applied(const StreamName& stream) {
    const auto transaction = ports_->store().begin();
    const auto versions = transaction->inbox().applied("payment", std::span(&stream, 1));
    return versions.contains(stream) ? versions.at(stream) : 0;
  }
  std::optional<WaitingMessage> waiting() {
    const auto found = ports_->store().begin()->inbox().look("payment", {}, 1);
    return found.empty() ? std::nullopt : std::optional(found.front());
  }

  std::unique_ptr<Ports> ports_ = GetParam().make();
  runtime::PollingSource source_{ports_->store()};
  std::optional<runtime::Loops> loops_;
};

TEST_P(BeginsWithNewEvents, ButNotWhileAnOlderOneIsInTheHandsOfAProcessThatIsFrozen) {
  deploy();
  send(placed("a", 1));
  const auto frozen = ports_->broker().receiver();
  frozen->listen({durable_});
  const auto in_hand = frozen->receive(1, std::chrono::seconds(10));
  ASSERT_EQ(in_hand.size(), 1U);
  frozen->listen({});  // or what it has asked for comes to it as well
  run();
  send(confirmed("a", 2));
  ASSERT_TRUE(eventually([&] { return waiting().has_value(); }));
  ASSERT_TRUE(eventually([&] { return waiting()->due_at > waiting()->first_failed_at + 2 * gap_wait; }));
  EXPECT_EQ(version_applied(stream_), 0U);
  EXPECT_EQ(waiting()->state, Waiting::gap);
  frozen->give_back(in_hand);
  EXPECT_TRUE(eventually([&] { return version_applied(stream_) == 2; }));
  EXPECT_EQ(payment_.calls, 1);  // of what was placed with version 1
}

TEST_P(BeginsWithNewEvents, WhereTheOlderOnesWerePublishedBeforeItListened) {
  ports_->broker().ensure({});
  send(placed("a", 1));
  deploy();
  run();
  send(confirmed("a", 2));
  EXPECT_TRUE(eventually([&] { return version_applied(stream_) == 2; }));
  EXPECT_EQ(payment_.calls, 0);
  send(confirmed("a", 3));
  EXPECT_TRUE(eventually([&] { return version_applied(stream_) == 3; }));
}

TEST_P(BeginsWithNewEvents, ButParksWhatMayHaveBeenPublishedWhileItsConsumerWasGone) {
  deploy();
  run();
  send(confirmed("b", 1));
  ASSERT_TRUE(eventually([&] { return version_applied({"order", "b"}) == 1; }));
  loops_.reset();
  ports_->delete_durable(durable_);
  send(placed("a", 1));
  deploy();
  run();
  send(confirmed("a", 2));
  ASSERT_TRUE(eventually([&] { return waiting() && waiting()->state == Waiting::parked; }));
  EXPECT_EQ(version_applied(stream_), 0U);
  EXPECT_NE(waiting()->reason.find("consumer " + durable_ + " was made anew"), std::string::npos) << waiting()->reason;
}

template <class Implementation>
std::unique_ptr<Ports> make_ports() {
  return std::make_unique<Implementation>();
}
INSTANTIATE_TEST_SUITE_P(Each, BeginsWithNewEvents,
                         ::testing::Values(Kind{"memory", make_ports<InMemory>},
                                           Kind{"servers", make_ports<OnServers>}),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace quadrille
