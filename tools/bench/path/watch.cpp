#include "path/watch.hpp"

#include "path/participants.hpp"

#include <stdexcept>
#include <thread>

namespace quadrille::bench {

Watch::Watch(const std::string& url, const std::string& subject, bool keep_times) : keep_times_(keep_times) {
  if (natsConnection_ConnectTo(&connection_, url.c_str()) != NATS_OK ||
      natsConnection_Subscribe(&subscription_, connection_, subject.c_str(), on_message, this) != NATS_OK)
    throw std::runtime_error("cannot watch " + subject);
  natsSubscription_SetPendingLimits(subscription_, -1, -1);
  natsConnection_Flush(connection_);
}

Watch::~Watch() {
  natsSubscription_Drain(subscription_);
  natsSubscription_WaitForDrainCompletion(subscription_, 5'000);
  natsSubscription_Destroy(subscription_);
  natsConnection_Destroy(connection_);
}

void Watch::await(std::size_t messages) const {
  constexpr std::chrono::seconds patience{60};
  auto last = seen_.load();
  auto changed = std::chrono::steady_clock::now();
  while (seen_ < messages) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (const auto now_seen = seen_.load(); now_seen != last) {
      last = now_seen;
      changed = std::chrono::steady_clock::now();
    }
    if (std::chrono::steady_clock::now() - changed > patience)
      throw std::runtime_error("only " + std::to_string(last) + " of " + std::to_string(messages) +
                               " messages came, and none for a minute");
  }
}

std::map<std::string, std::int64_t> Watch::times() const {
  const std::scoped_lock lock(mutex_);
  return times_;
}

void Watch::on_message(natsConnection*, natsSubscription*, natsMsg* message, void* self) {
  auto& us = *static_cast<Watch*>(self);
  if (us.keep_times_) {
    const auto now = monotonic();
    const char* key = nullptr;
    if (natsMsgHeader_Get(message, "ce-subject", &key) == NATS_OK && key != nullptr) {
      const std::scoped_lock lock(us.mutex_);
      us.times_.emplace(key, now);
    }
  }
  natsMsg_Destroy(message);
  ++us.seen_;
}

}  // namespace quadrille::bench
