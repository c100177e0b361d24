#pragma once

#include "core/broker.hpp"
#include "telemetry/metrics.hpp"

namespace quadrille::runtime {

/// A broker that measures what is published through it, whichever relay does so. Thread-safe as the one it stands for.
class MeteredBroker final : public Broker {
 public:
  MeteredBroker(Broker& broker, const telemetry::Metrics& metrics) : broker_(broker), metrics_(metrics) {}

  void ensure(const Topology& topology) override { broker_.ensure(topology); }
  [[nodiscard]] std::vector<Published> publish(std::span<const Message> messages) override;
  [[nodiscard]] std::unique_ptr<Receiver> receiver() override { return broker_.receiver(); }
  [[nodiscard]] std::size_t max_message_bytes() const override { return broker_.max_message_bytes(); }
  [[nodiscard]] bool connected() const override { return broker_.connected(); }

 private:
  Broker& broker_;
  const telemetry::Metrics& metrics_;
};

}  // namespace quadrille::runtime
