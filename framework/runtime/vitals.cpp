#include "runtime/vitals.hpp"

#include "core/redact.hpp"
#include "core/subject.hpp"
#include "http/body.hpp"
#include "quadrille/error.hpp"
#include "runtime/dispatcher.hpp"
#include "runtime/relay.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace quadrille::runtime {
namespace {

using http::Request;
using http::Response;

/// Longer than a batch of slow steps takes; a restart costs more than waiting for those.
constexpr std::chrono::minutes longest_silence{5};

/// 503 where the state is not good.
Response answer(Vitals::State state, const std::string& status) {
  state.reasons["status"] = (state.good ? "" : "not ") + status;
  Response response{state.good ? 200 : 503, http::json_object(state.reasons), "application/json", {}};
  if (!state.good) response.headers["Retry-After"] = "1";
  return response;
}

std::string database_state(Store& store) {
  try {
    static_cast<void>(store.begin()->outbox().oldest(1));
    return "ok";
  } catch (const Error& error) {
    return without_password(error.what());
  }
}

}  // namespace

void Vitals::serve(http::HttpServer& server) {
  server.get("/live", [this](const Request&) { return answer(live(), "live"); });
  server.get("/ready", [this](const Request&) { return answer(ready(database_state(store_)), "ready"); });
  server.get("/metrics", [this](const Request&) { return metrics(); });
}

Vitals::State Vitals::live() const {
  std::string silent;
  for (const auto& sentence : instruments_.heartbeats.silent_for(longest_silence))
    silent += (silent.empty() ? "" : "; ") + sentence;
  return {silent.empty(), {{"loops", silent.empty() ? "ok" : silent}}};
}

Vitals::State Vitals::ready(const std::string& database) const {
  std::map<std::string, std::string> reasons{
      {"database", database},
      {"broker", broker_.connected() ? "ok" : "the broker is away; what is accepted is published when it is back"},
      {"topology", "ok"},
      {"leases", leases_.current() ? "ok" : "leases could not be renewed in time"}};
  bool good = true;
  for (const auto& [what, state] : reasons) good = good && state == "ok";
  return {good, std::move(reasons)};
}

Response Vitals::metrics() const {
  std::uint32_t lanes = 0;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane) lanes += leases_.held(lane_lease(lane)) ? 1 : 0;
  instruments_.metrics.set(telemetry::Gauge::lanes_held, lanes);
  instruments_.metrics.set(telemetry::Gauge::relay_leader, leases_.held(Relay::lease_name) ? 1 : 0);
  instruments_.metrics.set(telemetry::Gauge::broker_connected, broker_.connected() ? 1 : 0);
  instruments_.metrics.set(telemetry::Gauge::leases_current, leases_.current() ? 1 : 0);
  return {200, instruments_.metrics.text(), "text/plain; version=0.0.4; charset=utf-8", {}};
}

}  // namespace quadrille::runtime
