#pragma once

#include <nats/nats.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace quadrille::bench {

/// Sees what is published on a subject of the broker, and when, without a consumer. Thread-safe.
class Watch {
 public:
  /// `keep_times`: by key of the event.
  Watch(const std::string& url, const std::string& subject, bool keep_times = false);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  [[nodiscard]] std::size_t seen() const { return seen_; }
  /// Waits until that many were seen. Throws std::runtime_error when nothing new comes for a minute.
  void await(std::size_t messages) const;
  /// monotonic() of the arrival, by key.
  [[nodiscard]] std::map<std::string, std::int64_t> times() const;

 private:
  static void on_message(natsConnection* connection, natsSubscription* subscription, natsMsg* message, void* self);

  const bool keep_times_;
  std::atomic<std::size_t> seen_{0};
  mutable std::mutex mutex_;
  std::map<std::string, std::int64_t> times_;
  natsConnection* connection_ = nullptr;
  natsSubscription* subscription_ = nullptr;
};

}  // namespace quadrille::bench
