#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"
#include "http/http_message.hpp"
#include "http/http_server.hpp"
#include "quadrille/edge.hpp"
#include "runtime/part.hpp"
#include "runtime/relay.hpp"
#include "runtime/unit_of_work.hpp"
#include "telemetry/log.hpp"
#include "telemetry/metrics.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace quadrille::runtime {

/// A participant's commands and views over HTTP. Thread-safe: each request has a transaction of its own. Key claim,
/// step, events and stored response are one transaction, so a crash leaves no key IN_PROGRESS.
class EdgeService {
 public:
  struct Settings {
    std::chrono::seconds key_time_to_live{24 * 3600};
    std::uint32_t conflict_retries = 10;
    Limits limits;
  };

  EdgeService(const Part& part, const Edge& edge, Store& store, Relay& relay, const Clock& clock,
              const telemetry::Log& log, const telemetry::Metrics& metrics, Settings settings);

  /// Registers every route. The server does not outlive this object.
  void serve(http::HttpServer& server);
  /// Runs the step for the command unless that was done under the idempotency key before: the answer, then or now.
  [[nodiscard]] http::Response run_once(const PlannedStep& step, google::protobuf::Message& command,
                                        const std::string& key, const std::string& hash,
                                        const std::string& traceparent);

 private:
  [[nodiscard]] http::Response command(const Edge::CommandRoute& route, const http::Request& request);
  [[nodiscard]] http::Response view(const Edge::ViewRoute& route, const http::Request& request);

  const Part& part_;
  const Edge& edge_;
  Store& store_;
  Relay& relay_;
  const Clock& clock_;
  const telemetry::Log& log_;
  const telemetry::Metrics& metrics_;
  const Settings settings_;
};

}  // namespace quadrille::runtime
