#include "embedded/nats_server.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "relay_contract.hpp"

#include <algorithm>
#include <atomic>
#include <iostream>
#include <thread>
namespace quadrille {
namespace {
class Timing final : public Broker {
 public:
  explicit Timing(Broker& inner) : inner_(inner) {}
  void ensure(const Topology& t) override { inner_.ensure(t); }
  std::vector<Published> publish(std::span<const Message> messages) override {
    const auto now = std::chrono::system_clock::now();
    for (const auto& m : messages) {
      const auto at = TimePoint(std::chrono::microseconds(std::stoll(m.payload)));
      (void)at;
      if (keep) late.push_back(std::chrono::duration_cast<std::chrono::microseconds>(now - at).count());
    }
    auto a = inner_.publish(messages);
    count += messages.size();
    return a;
  }
  std::unique_ptr<Receiver> receiver() override { return inner_.receiver(); }
  std::unique_ptr<Serving> serve(const std::string&, const std::string&, Answerer) override { return nullptr; }
  std::vector<std::string> ask(const std::string&, const std::string&, std::size_t,
                               std::chrono::milliseconds) override {
    return {};
  }
  std::vector<ConsumerProgress> progress(std::span<const std::string>) override { return {}; }
  std::size_t max_message_bytes() const override { return 1 << 20; }
  bool connected() const override { return true; }
  std::atomic<std::size_t> count{0};
  bool keep = false;
  std::vector<long> late;

 private:
  Broker& inner_;
};
class Instant final : public Broker {
 public:
  void ensure(const Topology&) override {}
  std::vector<Published> publish(std::span<const Message> m) override {
    return std::vector<Published>(m.size(), Published::stored);
  }
  std::unique_ptr<Receiver> receiver() override { return nullptr; }
  std::unique_ptr<Serving> serve(const std::string&, const std::string&, Answerer) override { return nullptr; }
  std::vector<std::string> ask(const std::string&, const std::string&, std::size_t,
                               std::chrono::milliseconds) override {
    return {};
  }
  std::vector<ConsumerProgress> progress(std::span<const std::string>) override { return {}; }
  std::size_t max_message_bytes() const override { return 1 << 20; }
  bool connected() const override { return true; }
};
class Measure : public RelayBench, public ::testing::WithParamInterface<RelayUnderTest> {
 protected:
  Event stamped(const std::string& key, std::uint64_t v) {
    auto e = event(key, v);
    e.payload = std::to_string(
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count());
    e.payload = std::string(20 - e.payload.size(), '0') + e.payload;
    return e;
  }
  void fill(int total) {
    for (int part = 0; part < total / 1000; ++part) {
      std::vector<Event> events;
      for (int i = 0; i < 1000; ++i) {
        auto k = "f" + std::to_string(next_++);
        events.push_back(stamped(k, 1));
      }
      auto t = store_->begin();
      t->events().append(events);
      t->commit();
    }
  }
  void drain(Broker& broker, const char* name) {
    Timing timing(broker);
    auto relay = start(GetParam(), "one", timing);
    ASSERT_TRUE(GetParam() == RelayUnderTest::polling || await_tailing());
    ASSERT_TRUE(await_empty());
    // the broker holds still while the backlog is made
    struct Gate final : Broker{}* none = nullptr;
    (void)none;
    timing.count = 0;
    const auto start_at = std::chrono::steady_clock::now();
    std::jthread w1([&] { fill_with("x"); });
    w1.join();
    const auto filled = std::chrono::steady_clock::now();
    ASSERT_TRUE(await_empty());
    const auto end = std::chrono::steady_clock::now();
    std::cout << "MEASURE " << name << " " << (GetParam() == RelayUnderTest::polling ? "polling" : "tailing")
              << " while written: " << timing.count / std::chrono::duration<double>(end - start_at).count()
              << "/s (written in " << std::chrono::duration<double>(filled - start_at).count() << " s, all "
              << std::chrono::duration<double>(end - start_at).count() << ")" << std::endl;
  }
  void fill_with(const std::string& p) {
    for (int part = 0; part < 100; ++part) {
      std::vector<Event> events;
      for (int i = 0; i < 500; ++i) events.push_back(stamped(p + std::to_string(next_++), 1));
      auto t = store_->begin();
      t->events().append(events);
      t->commit();
    }
  }
  void backlog(Broker& broker, const char* name) {
    Timing timing(broker);
    fill(50'000);
    const auto start_at = std::chrono::steady_clock::now();
    auto relay = start(GetParam(), "one", timing);
    ASSERT_TRUE(await_empty());
    std::cout << "MEASURE " << name << " " << (GetParam() == RelayUnderTest::polling ? "polling" : "tailing")
              << " backlog at start: "
              << 50'000 / std::chrono::duration<double>(std::chrono::steady_clock::now() - start_at).count() << "/s"
              << std::endl;
  }
  void one_transaction(Broker& broker, const char* name) {
    Timing timing(broker);
    auto relay = start(GetParam(), "one", timing);
    ASSERT_TRUE(GetParam() == RelayUnderTest::polling || await_tailing());
    ASSERT_TRUE(await_empty());
    auto t = store_->begin();
    for (int part = 0; part < 100; ++part) {
      std::vector<Event> events;
      for (int i = 0; i < 500; ++i) events.push_back(stamped("t" + std::to_string(next_++), 1));
      t->events().append(events);
    }
    const auto start_at = std::chrono::steady_clock::now();
    t->commit();
    relay->relay.wake();
    ASSERT_TRUE(await_empty());
    std::cout << "MEASURE " << name << " " << (GetParam() == RelayUnderTest::polling ? "polling" : "tailing")
              << " one transaction of 50k: "
              << 50'000 / std::chrono::duration<double>(std::chrono::steady_clock::now() - start_at).count() << "/s"
              << std::endl;
  }
  int next_ = 0;
};
TEST_P(Measure, Instant) {
  Instant b;
  backlog(b, "instant");
}
TEST_P(Measure, InstantOne) {
  Instant b;
  one_transaction(b, "instant");
}
TEST_P(Measure, InstantTraffic) {
  Instant b;
  drain(b, "instant");
}
struct Nats {
  embedded::TemporaryFolder folder;
  embedded::NatsServer server{{.folder = folder.path()}};
  std::unique_ptr<Broker> broker = jetstream::connect({.url = server.url(), .client_name = "relay"});
  Nats() { broker->ensure({}); }
};
TEST_P(Measure, Real) {
  Nats n;
  backlog(*n.broker, "nats");
}
TEST_P(Measure, RealOne) {
  Nats n;
  one_transaction(*n.broker, "nats");
}
TEST_P(Measure, RealTraffic) {
  Nats n;
  drain(*n.broker, "nats");
}
TEST_P(Measure, Latency) {
  for (const bool wake : {true, false}) {
    Instant b;
    Timing timing(b);
    timing.keep = true;
    polls_ = std::chrono::milliseconds(1000);
    auto relay = start(GetParam(), wake ? "one" : "two", timing);
    ASSERT_TRUE(GetParam() == RelayUnderTest::polling || await_tailing(wake ? 1 : 2));
    std::this_thread::sleep_for(std::chrono::seconds(3));
    std::size_t done = timing.count;
    std::vector<long> late;
    for (int i = 0; i < 400; ++i) {
      auto t = store_->begin();
      auto e = stamped("l" + std::to_string(next_++), 1);
      t->events().append(std::span(&e, 1));
      const auto before_commit = std::chrono::steady_clock::now();
      t->commit();
      if (wake)
        relay->relay.wake();
      else
        store_->ring();
      while (timing.count == done) std::this_thread::yield();
      late.push_back(
          std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - before_commit)
              .count());
      done = timing.count;
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    std::ranges::sort(late);
    std::cout << "MEASURE latency commit->publish " << (wake ? "own process " : "other process ")
              << (GetParam() == RelayUnderTest::polling ? "polling" : "tailing") << " p50 " << late[200] << " us p90 "
              << late[360] << " p99 " << late[396] << std::endl;
  }
}
INSTANTIATE_TEST_SUITE_P(All, Measure, ::testing::Values(RelayUnderTest::polling, RelayUnderTest::log_tailing),
                         ::testing::PrintToStringParamName());
}  // namespace
}  // namespace quadrille
