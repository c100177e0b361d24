#pragma once

#include "core/broker.hpp"
#include "jetstream/connection.hpp"
#include "jetstream/handles.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::jetstream {

/// Requests whose answers come to one inbox. Not natsConnection_Request: that takes one answer only, and a request the
/// server forbids looks like a time-out to it. Used by one thread.
class Inquiry {
 public:
  Inquiry(Connection& connection, std::chrono::milliseconds longest);

  void send(const std::string& subject, const std::string& question);
  /// The next answer; nothing when the time is up, or when all that can come has: a subject without anybody who serves
  /// it, or one that is forbidden, gives none. A question to many may give more than one.
  [[nodiscard]] std::optional<Message> next();
  /// Of the subjects asked, those the server forbids.
  [[nodiscard]] const std::vector<std::string>& refused() const { return refused_; }

 private:
  [[nodiscard]] bool note_refusals();

  using Time = std::chrono::steady_clock::time_point;
  Connection& connection_;
  const Time end_;
  const std::string inbox_;
  std::vector<std::string> asked_;
  std::vector<std::string> refused_;
  std::size_t silent_ = 0;  ///< subjects nobody serves
  Subscription subscription_;
};

}  // namespace quadrille::jetstream
