#pragma once

#include "core/broker.hpp"
#include "jetstream/jetstream_broker.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace quadrille::jetstream {

/// Requests to a server's API, for tools that look at it. Used by one thread.
class ServerApi {
 public:
  /// Throws Error(stop) that names the server, without its password, when it cannot be reached.
  explicit ServerApi(JetStreamSettings settings);
  ~ServerApi();

  /// The answer, or nothing: no answer in time, or the subject is refused to this user.
  [[nodiscard]] std::optional<std::string> request(const Message& message, std::chrono::milliseconds longest) const;
  /// The server has refused this user to publish there.
  [[nodiscard]] bool refused(const std::string& subject) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace quadrille::jetstream
