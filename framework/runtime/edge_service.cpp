#include "runtime/edge_service.hpp"

#include "core/sha256.hpp"
#include "core/trace_context.hpp"
#include "core/uuid.hpp"
#include "http/body.hpp"
#include "quadrille/error.hpp"
#include "runtime/fault_point.hpp"
#include "telemetry/instruments.hpp"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace quadrille::runtime {
namespace {

using http::problem;
using http::Request;
using http::Response;

constexpr std::size_t longest_key = 255;

std::string header(const Request& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? std::string{} : found->second;
}

std::string to_json(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  std::string json;
  static_cast<void>(google::protobuf::util::MessageToJsonString(message, &json, options));
  return json + "\n";
}

Response unavailable(const std::string& detail) {
  auto response = problem(503, "The service cannot answer now", detail);
  response.headers["Retry-After"] = "1";
  return response;
}

/// Turns what a request's work throws into an answer.
template <class Work>
Response answered(const telemetry::Log& log, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.disposition() == Disposition::park)
      return problem(422, "The request cannot be carried out", error.what());
    log.warn(std::string("request not served: ") + error.what());
    return unavailable("The database did not answer; nothing was done, send the same request again.");
  } catch (const std::exception& error) {
    log.error(std::string("request failed: ") + error.what());
    return problem(500, "The service has failed", "Nothing was done. The service's log says more.");
  }
}

/// What metrics call it.
std::string_view verdict(const IdempotencyKeys::Entry& known, const std::string& hash) {
  if (known.request_hash != hash) return "mismatch";
  return known.done ? "replayed" : "in_progress";
}

Response replay(const IdempotencyKeys::Entry& known, const std::string& hash) {
  if (known.request_hash != hash)
    return problem(422, "The Idempotency-Key was used for another request", "Send a new key with a new request.");
  if (!known.done) {
    auto response = problem(409, "The first request with this Idempotency-Key is still being served",
                            "Send it again a little later.");
    response.headers["Retry-After"] = "1";
    return response;
  }
  return {known.status, known.response, "application/json", {{"Idempotency-Replayed", "true"}}};
}

}  // namespace

EdgeService::EdgeService(const Part& part, const Edge& edge, Store& store, Relay& relay, const Clock& clock,
                         const telemetry::Log& log, const telemetry::Metrics& metrics, Settings settings)
    : part_(part),
      edge_(edge),
      store_(store),
      relay_(relay),
      clock_(clock),
      log_(log),
      metrics_(metrics),
      settings_(settings) {}

void EdgeService::serve(http::HttpServer& server) {
  for (const auto& route : edge_.commands()) {
    static_cast<void>(part_.step(route.step));  // a wrong name stops the start, not the first request
    server.post(route.path, [this, &route](const Request& request) {
      return answered(log_, [&] { return command(route, request); });
    });
  }
  for (const auto& route : edge_.views())
    server.get_below(route.path, [this, &route](const Request& request) {
      return answered(log_, [&] { return view(route, request); });
    });
}

Response EdgeService::command(const Edge::CommandRoute& route, const Request& request) {
  const auto key = header(request, "idempotency-key");
  const bool printable = std::ranges::all_of(key, [](char c) { return c >= 0x20 && c < 0x7f; });
  if (key.empty() || key.size() > longest_key || !printable)
    return problem(
        400, "The header Idempotency-Key is missing or malformed",
        "Send a new unique value (a UUID; at most 255 printable ASCII characters) with each new request and the "
        "same one when repeating it.");
  const auto command = route.make();
  const auto parsed = google::protobuf::util::JsonStringToMessage(request.body, command.get());
  if (!parsed.ok())
    return problem(400, "The body is not a valid " + command->GetDescriptor()->name(), std::string(parsed.message()));
  if (const auto complaint = route.complaint(*command))
    return problem(400, "The body is not a valid " + command->GetDescriptor()->name(), *complaint);
  const auto hash = sha256(route.path + "\n" + command->SerializeAsString());
  return run_once(part_.step(route.step), *command, key, hash, next_traceparent(header(request, "traceparent")));
}

Response EdgeService::run_once(const PlannedStep& step, google::protobuf::Message& command,
                               const std::string& idempotency_key, const std::string& hash,
                               const std::string& traceparent) {
  if (part_.key_of(command).empty()) part_.set_key(command, new_uuid());
  const auto key = part_.key_of(command);
  for (std::uint32_t attempt = 0;; ++attempt) {
    try {
      const telemetry::Stopwatch watch;
      const auto transaction = store_.begin();
      const auto now = clock_.now();
      if (const auto known = transaction->idempotency().claim(step.declared->name, idempotency_key, hash, now,
                                                              now + settings_.key_time_to_live)) {
        metrics_.add(telemetry::Counter::idempotency_requests, {verdict(*known, hash)});
        return replay(*known, hash);
      }
      UnitOfWork unit(part_, *transaction, settings_.limits, now);
      const auto result = unit.run(step, command, {key, "", "", 0, traceparent});
      if (result.recorded.empty())
        return problem(409, "There is one already", "'" + key + "' exists; nothing was changed.");
      unit.flush_last();
      const auto body = http::json_object({{"key", key}, {"saga_id", result.saga_id}});
      transaction->idempotency().complete(step.declared->name, idempotency_key, 201, body);
      fault_point(FaultPoint::command_recorded);
      transaction->commit();
      fault_point(FaultPoint::command_over);
      relay_.wake();
      unit.tally().report(metrics_);
      metrics_.observe(telemetry::Histogram::transaction_duration, watch.seconds(), {"command"});
      metrics_.add(telemetry::Counter::idempotency_requests, {"new"});
      log_.info("command accepted", {.saga = result.saga_id,
                                     .step = step.declared->name,
                                     .event = result.recorded.front(),
                                     .trace = trace_id(traceparent)});
      return {201, body, "application/json", {}};
    } catch (const VersionConflict& conflict) {
      metrics_.add(telemetry::Counter::version_conflicts);
      if (attempt >= settings_.conflict_retries) throw;
      log_.debug(conflict.what());
    }
  }
}

Response EdgeService::view(const Edge::ViewRoute& route, const Request& request) {
  const auto transaction = store_.begin();
  UnitOfWork unit(part_, *transaction, settings_.limits, clock_.now());
  const auto* aggregate = unit.state(request.rest);
  if (aggregate == nullptr)
    return problem(404, "There is no such " + part_.declared().aggregate, "'" + request.rest + "' has no events here.");
  return {200, to_json(*route.show(request.rest, *aggregate)), "application/json", {}};
}

}  // namespace quadrille::runtime
