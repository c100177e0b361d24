// The relay's promises, seen from a broker that answers as a test wants.
#include "runtime/relay.hpp"

#include "core/uuid.hpp"
#include "memory/memory_store.hpp"
#include "quadrille/error.hpp"
#include "runtime/polling_source.hpp"
#include "support/scripted_broker.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <set>

namespace quadrille {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class RelayTest : public ::testing::Test, public runtime::Stopper {
 protected:
  void stop_because(const std::string& reason) override {
    const std::scoped_lock lock(mutex_);
    reason_ = reason;
  }
  std::string stopped_because() {
    const std::scoped_lock lock(mutex_);
    return reason_;
  }

  void record(const std::string& key, std::uint64_t count) {
    std::vector<Event> events;
    for (std::uint64_t version = 1; version <= count; ++version) {
      Event event;
      event.id = new_uuid();
      event.type = "test.Happened";
      event.source = "tester";
      event.subject = "evt.1.tester.thing.Happened";
      event.stream = {"thing", key};
      event.version = version;
      event.saga_id = "saga";
      events.push_back(event);
    }
    const auto transaction = store_.begin();
    transaction->events().append(events);
    transaction->commit();
  }
  std::size_t left() { return store_.begin()->outbox().oldest(1'000).size(); }

  /// An instance with the right to relay, if it can get it.
  struct Instance {
    Instance(RelayTest& test, const std::string& owner)
        : leases(test.store_, test.log_, owner, {runtime::Relay::lease_name}, seconds(60)),
          relay(test.store_, test.source_, test.broker_, leases, test.log_, test,
                {.slow_poll = milliseconds(10), .backoff = {milliseconds(5), milliseconds(20)}}) {}
    runtime::LeaseKeeper leases;
    runtime::Relay relay;
  };

  template <class Condition>
  static bool eventually(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + seconds(20);
    while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(milliseconds(2));
    return condition();
  }

  SystemClock clock_;
  memory::MemoryStore store_{clock_};
  runtime::PollingSource source_{store_};
  support::ScriptedBroker broker_;
  telemetry::Log log_{"tester", telemetry::Level::error, telemetry::Format::text};

 private:
  std::mutex mutex_;
  std::string reason_;
};

TEST_F(RelayTest, SendsOneEventOfAStreamAtATimeInOrderAndStreamsTogether) {
  record("a", 3);
  record("b", 2);
  Instance instance(*this, "one");
  ASSERT_TRUE(eventually([&] { return left() == 0; }));
  EXPECT_EQ(broker_.sent(),
            (std::vector<std::string>{"thing-a@1", "thing-b@1", "thing-a@2", "thing-b@2", "thing-a@3"}));
  for (const auto& call : broker_.calls()) {
    std::set<std::string> streams;
    for (const auto& message : call)
      EXPECT_TRUE(streams.insert(message.headers.at("ce-stream")).second) << "two of one stream in flight";
  }
}

TEST_F(RelayTest, SendsNothingNewerOfAStreamBeforeTheOlderIsStored) {
  std::atomic<int> refusals{3};
  broker_.answer = [&](const Message& message) {
    return message.headers.at("ce-version") == "1" && refusals-- > 0 ? Published::unknown : Published::stored;
  };
  record("a", 2);
  Instance instance(*this, "one");
  ASSERT_TRUE(eventually([&] { return left() == 0; }));
  EXPECT_EQ(broker_.sent(),
            (std::vector<std::string>{"thing-a@1", "thing-a@1", "thing-a@1", "thing-a@1", "thing-a@2"}));
}

TEST_F(RelayTest, RemovesOnlyWhatIsStored) {
  broker_.answer = [](const Message& message) {
    return message.headers.at("ce-stream") == "thing-a" ? Published::unknown : Published::stored;
  };
  record("a", 1);
  record("b", 1);
  Instance instance(*this, "one");
  ASSERT_TRUE(eventually([&] { return left() == 1; }));
  EXPECT_EQ(store_.begin()->outbox().oldest(1).front().event.stream.key, "a");
}

TEST_F(RelayTest, StopsTheProcessWhenTheBrokerForbidsASubject) {
  broker_.answer = [](const Message&) { return Published::refused; };
  record("a", 1);
  Instance instance(*this, "one");
  ASSERT_TRUE(eventually([&] { return !stopped_because().empty(); }));
  EXPECT_NE(stopped_because().find("forbids participant tester to publish evt.1.tester.thing.Happened"),
            std::string::npos)
      << stopped_because();
  EXPECT_EQ(left(), 1U);
}

TEST_F(RelayTest, LeavesTheWorkToTheOneWithTheLeaseAndTakesOverWhenItGoes) {
  auto first = std::make_unique<Instance>(*this, "one");
  ASSERT_TRUE(eventually([&] { return first->leases.held(runtime::Relay::lease_name).has_value(); }));
  const auto epoch = first->leases.held(runtime::Relay::lease_name)->epoch;
  first.reset();  // gives it back
  Instance second(*this, "two");
  record("a", 1);
  second.relay.wake();
  ASSERT_TRUE(eventually([&] { return left() == 0; }));
  EXPECT_GT(second.leases.held(runtime::Relay::lease_name)->epoch, epoch);
}

TEST_F(RelayTest, ThatWasFencedRemovesNothing) {
  broker_.answer = [&](const Message&) {
    // While it waits for the answer, its lease runs out and another takes it.
    const std::string name = runtime::Relay::lease_name;
    const auto transaction = store_.begin();
    transaction->leases().release("one");
    static_cast<void>(transaction->leases().acquire(std::span(&name, 1), "two", seconds(60)));
    transaction->commit();
    return Published::stored;
  };
  record("a", 1);
  Instance instance(*this, "one");
  ASSERT_TRUE(eventually([&] { return !broker_.sent().empty(); }));
  EXPECT_FALSE(instance.relay.drain(milliseconds(200)));
  EXPECT_EQ(left(), 1U) << "the new owner publishes it again; the broker and the inbox drop the duplicate";
}

}  // namespace
}  // namespace quadrille
