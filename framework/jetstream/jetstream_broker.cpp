#include "jetstream/jetstream_broker.hpp"

#include "jetstream/connection.hpp"
#include "jetstream/publisher.hpp"
#include "jetstream/receiver.hpp"
#include "jetstream/topology.hpp"

namespace quadrille::jetstream {
namespace {

class JetStreamBroker final : public Broker {
 public:
  explicit JetStreamBroker(const JetStreamSettings& settings)
      : warn_(settings.warn),
        relay_(settings, "relay", false),
        consume_(settings, "consume", true),
        publisher_(relay_, settings.publish_timeout, settings.duplicate) {}

  void ensure(const Topology& topology) override {
    ensure_topology(consume_, topology);
    stream_ = topology.stream;
  }
  [[nodiscard]] std::vector<Published> publish(std::span<const Message> messages) override {
    return publisher_.publish(messages);
  }
  [[nodiscard]] std::unique_ptr<Receiver> receiver() override {
    return std::make_unique<PullReceiver>(consume_, stream_, warn_);
  }
  [[nodiscard]] std::size_t max_message_bytes() const override {
    return static_cast<std::size_t>(natsConnection_GetMaxPayload(relay_.get()));
  }
  [[nodiscard]] bool connected() const override { return relay_.connected() && consume_.connected(); }

 private:
  const std::function<void(const std::string&)> warn_;
  std::string stream_ = Topology{}.stream;
  Connection relay_;
  Connection consume_;
  Publisher publisher_;
};

}  // namespace

std::unique_ptr<Broker> connect(const JetStreamSettings& settings) {
  return std::make_unique<JetStreamBroker>(settings);
}

}  // namespace quadrille::jetstream
