#pragma once

#include "core/broker.hpp"
#include "core/store.hpp"
#include "simulation/flaw.hpp"

namespace simulation {

/// Stands between the loops of a participant and the broker, and breaks a promise where it is told to.
class WatchedBroker final : public quadrille::Broker {
 public:
  /// `store`: of the participant.
  WatchedBroker(quadrille::Broker& inner, quadrille::Store& store, Flaw flaw)
      : inner_(inner), store_(store), flaw_(flaw) {}

  void ensure(const quadrille::Topology& topology) override { inner_.ensure(topology); }
  [[nodiscard]] std::vector<quadrille::Published> publish(std::span<const quadrille::Message> messages) override;
  [[nodiscard]] std::unique_ptr<quadrille::Receiver> receiver() override;
  [[nodiscard]] std::unique_ptr<quadrille::Serving> serve(const std::string& subject, const std::string& group,
                                                          quadrille::Answerer answer) override {
    return inner_.serve(subject, group, std::move(answer));
  }
  [[nodiscard]] std::vector<std::string> ask(const std::string& subject, const std::string& question,
                                             std::size_t enough, std::chrono::milliseconds longest) override {
    return inner_.ask(subject, question, enough, longest);
  }
  [[nodiscard]] std::vector<quadrille::ConsumerProgress> progress(std::span<const std::string> consumers) override {
    return inner_.progress(consumers);
  }
  [[nodiscard]] std::size_t max_message_bytes() const override { return inner_.max_message_bytes(); }
  [[nodiscard]] bool connected() const override { return inner_.connected(); }

 private:
  quadrille::Broker& inner_;
  quadrille::Store& store_;
  const Flaw flaw_;
};

}  // namespace simulation
