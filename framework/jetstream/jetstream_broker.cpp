#include "jetstream/jetstream_broker.hpp"

#include "jetstream/connection.hpp"
#include "jetstream/consumer_progress.hpp"
#include "jetstream/publisher.hpp"
#include "jetstream/receiver.hpp"
#include "jetstream/request_reply.hpp"
#include "jetstream/topology.hpp"

#include <utility>

namespace quadrille::jetstream {
namespace {

class JetStreamBroker final : public Broker {
 public:
  explicit JetStreamBroker(const JetStreamSettings& settings)
      : warn_(settings.warn),
        relay_(settings, "relay", false),
        consume_(settings, "consume", true),
        acknowledge_(settings, "acknowledge", false),
        publisher_(relay_, settings.publish_timeout, settings.duplicate),
        hurried_(consume_, settings.publish_timeout, settings.duplicate) {}

  void ensure(const Topology& topology) override {
    ensure_topology(consume_, topology);
    stream_ = topology.stream;
  }
  [[nodiscard]] std::vector<Published> publish(std::span<const Message> messages) override {
    return messages.size() <= few ? hurried_.publish(messages) : publisher_.publish(messages);
  }
  [[nodiscard]] std::unique_ptr<Receiver> receiver() override {
    return std::make_unique<PullReceiver>(consume_, acknowledge_, stream_, warn_);
  }
  [[nodiscard]] std::unique_ptr<Serving> serve(const std::string& subject, const std::string& group,
                                               Answerer answer) override {
    return jetstream::serve(consume_, subject, group, std::move(answer), warn_);
  }
  [[nodiscard]] std::vector<std::string> ask(const std::string& subject, const std::string& question,
                                             std::size_t enough, std::chrono::milliseconds longest) override {
    return jetstream::ask(consume_, subject, question, enough, longest);
  }
  [[nodiscard]] std::vector<ConsumerProgress> progress(std::span<const std::string> consumers) override {
    return consumer_progress(consume_, stream_, consumers);
  }
  [[nodiscard]] std::size_t max_message_bytes() const override {
    return static_cast<std::size_t>(natsConnection_GetMaxPayload(relay_.get()));
  }
  [[nodiscard]] bool connected() const override {
    return relay_.connected() && consume_.connected() && acknowledge_.connected();
  }

 private:
  /// Each is a write of its own, without the millisecond for which nats.c collects what goes out in one.
  static constexpr std::size_t few = 8;

  const std::function<void(const std::string&)> warn_;
  std::string stream_ = Topology{}.stream;
  Connection relay_;
  Connection consume_;
  Connection acknowledge_;
  Publisher publisher_;
  Publisher hurried_;
};

}  // namespace

std::unique_ptr<Broker> connect(const JetStreamSettings& settings) {
  return std::make_unique<JetStreamBroker>(settings);
}

}  // namespace quadrille::jetstream
