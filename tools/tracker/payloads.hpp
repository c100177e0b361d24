#pragma once

#include "jetstream/server_api.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace quadrille::tracker {

/// Messages of the broker's stream one by one, for people who look at a saga. Thread-safe.
class Payloads {
 public:
  explicit Payloads(const jetstream::JetStreamSettings& settings) : settings_(settings) {}

  /// The payload at this place; nothing when the broker no longer holds it or does not answer. `event_id`: what has to
  /// stand there.
  [[nodiscard]] std::optional<std::string> read(std::uint64_t sequence, const std::string& event_id);

 private:
  const jetstream::JetStreamSettings settings_;
  std::mutex mutex_;
  std::optional<jetstream::ServerApi> api_;  ///< from the first question on
};

}  // namespace quadrille::tracker
