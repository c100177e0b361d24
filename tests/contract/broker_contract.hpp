#pragma once

#include "core/uuid.hpp"
#include "embedded/nats_server.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "memory/memory_broker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

/// The brokers that every promise of core/broker.hpp is tested on.
namespace quadrille {
class BrokerUnderTest {
 public:
  virtual ~BrokerUnderTest() = default;
  virtual Broker& broker() = 0;
};

class InMemory final : public BrokerUnderTest {
 public:
  Broker& broker() override { return broker_; }

 private:
  memory::MemoryBroker broker_;
};

class OnJetStream final : public BrokerUnderTest {
 public:
  Broker& broker() override { return *broker_; }

 private:
  embedded::TemporaryFolder folder_;
  embedded::NatsServer server_{{.folder = folder_.path()}};
  std::unique_ptr<Broker> broker_ = jetstream::connect({.url = server_.url(), .client_name = "contract"});
};

struct Kind {
  const char* name;
  std::unique_ptr<BrokerUnderTest> (*make)();
  friend void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }
};

class BrokerContract : public ::testing::TestWithParam<Kind> {
 protected:
  [[nodiscard]] Broker& broker() { return under_test_->broker(); }

  static ConsumerSpec consumer(const std::string& name, const std::string& filter) {
    ConsumerSpec spec;
    spec.name = name;
    spec.filter = filter;
    spec.from_beginning = true;
    spec.ack_wait = std::chrono::milliseconds(300);
    return spec;
  }
  void ensure(std::vector<ConsumerSpec> consumers) {
    Topology topology;
    topology.consumers = std::move(consumers);
    broker().ensure(topology);
  }
  static Message message(const std::string& subject, const std::string& payload) {
    return {subject, {{"Nats-Msg-Id", new_uuid()}}, payload};
  }

  void publish(const std::vector<Message>& messages) {
    for (const auto answer : broker().publish(messages)) EXPECT_EQ(answer, Published::stored);
  }
  /// Receives until there are that many, at most ten seconds.
  static std::vector<Delivery> receive(Receiver& receiver, std::size_t count) {
    std::vector<Delivery> all;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (all.size() < count && std::chrono::steady_clock::now() < end)
      std::ranges::move(receiver.receive(count - all.size(), std::chrono::milliseconds(200)), std::back_inserter(all));
    return all;
  }
  static std::vector<std::string> payloads(const std::vector<Delivery>& deliveries) {
    std::vector<std::string> result;
    for (const auto& delivery : deliveries) result.push_back(delivery.message.payload);
    return result;
  }
  std::unique_ptr<Receiver> listening(std::vector<std::string> consumers) {
    auto receiver = broker().receiver();
    receiver->listen(std::move(consumers));
    return receiver;
  }

 private:
  std::unique_ptr<BrokerUnderTest> under_test_ = GetParam().make();
};

template <class Implementation>
std::unique_ptr<BrokerUnderTest> make_broker() {
  return std::make_unique<Implementation>();
}

inline auto every_broker() {
  return ::testing::Values(Kind{"memory", make_broker<InMemory>}, Kind{"jetstream", make_broker<OnJetStream>});
}

inline std::string name_of_kind(const ::testing::TestParamInfo<Kind>& kind) { return kind.param.name; }

}  // namespace quadrille
