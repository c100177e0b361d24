#include "simulation/watched_broker.hpp"

#include <utility>

namespace simulation {
namespace {

using namespace quadrille;

class EarlyReceiver final : public Receiver {
 public:
  explicit EarlyReceiver(std::unique_ptr<Receiver> inner) : inner_(std::move(inner)) {}
  void listen(std::vector<std::string> consumers) override { inner_->listen(std::move(consumers)); }
  [[nodiscard]] std::vector<Delivery> receive(std::size_t most, std::chrono::milliseconds longest) override {
    auto deliveries = inner_->receive(most, longest);
    if (!deliveries.empty()) inner_->ack(deliveries);
    return deliveries;
  }
  void ack(std::span<const Delivery>) override {}
  void keep(std::span<const Delivery> deliveries) override { inner_->keep(deliveries); }
  void give_back(std::span<const Delivery> deliveries) override { inner_->give_back(deliveries); }

 private:
  std::unique_ptr<Receiver> inner_;
};

}  // namespace

std::vector<Published> WatchedBroker::publish(std::span<const Message> messages) {
  if (flaw_ == Flaw::early_removal) {
    std::vector<std::string> ids;
    for (const auto& message : messages) ids.push_back(message.headers.at("Nats-Msg-Id"));
    const auto transaction = store_.begin();
    std::vector<std::uint64_t> positions;
    for (const auto& place : transaction->events().find(ids)) positions.push_back(place.position);
    static_cast<void>(transaction->outbox().remove(positions));
    transaction->commit();
  }
  return inner_.publish(messages);
}

std::unique_ptr<Receiver> WatchedBroker::receiver() {
  auto inner = inner_.receiver();
  if (flaw_ != Flaw::early_ack) return inner;
  return std::make_unique<EarlyReceiver>(std::move(inner));
}

}  // namespace simulation
