#pragma once

#include "core/broker.hpp"
#include "telemetry/metrics.hpp"

#include <utility>

namespace quadrille::runtime {

/// A broker that measures what is published through it, whichever relay does so. Thread-safe as the one it stands for.
class MeteredBroker final : public Broker {
 public:
  MeteredBroker(Broker& broker, const telemetry::Metrics& metrics) : broker_(broker), metrics_(metrics) {}

  void ensure(const Topology& topology) override { broker_.ensure(topology); }
  [[nodiscard]] std::vector<Published> publish(std::span<const Message> messages) override;
  [[nodiscard]] std::unique_ptr<Receiver> receiver() override { return broker_.receiver(); }
  [[nodiscard]] std::unique_ptr<Serving> serve(const std::string& subject, const std::string& group,
                                               Answerer answer) override {
    return broker_.serve(subject, group, std::move(answer));
  }
  [[nodiscard]] std::vector<std::string> ask(const std::string& subject, const std::string& question,
                                             std::size_t enough, std::chrono::milliseconds longest) override {
    return broker_.ask(subject, question, enough, longest);
  }
  [[nodiscard]] std::vector<ConsumerProgress> progress(std::span<const std::string> consumers) override {
    return broker_.progress(consumers);
  }
  [[nodiscard]] std::size_t max_message_bytes() const override { return broker_.max_message_bytes(); }
  [[nodiscard]] bool connected() const override { return broker_.connected(); }

 private:
  Broker& broker_;
  const telemetry::Metrics& metrics_;
};

}  // namespace quadrille::runtime
