#pragma once

#include "core/broker.hpp"
#include "jetstream/connection.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace quadrille::jetstream {

/// Broker::serve and Broker::ask over core NATS. Subscriptions survive reconnects; a question asked while the
/// connection is down is not heard.
[[nodiscard]] std::unique_ptr<Serving> serve(Connection& connection, const std::string& subject,
                                             const std::string& group, Answerer answer,
                                             std::function<void(const std::string&)> warn);
[[nodiscard]] std::vector<std::string> ask(Connection& connection, const std::string& subject,
                                           const std::string& question, std::size_t enough,
                                           std::chrono::milliseconds longest);

}  // namespace quadrille::jetstream
