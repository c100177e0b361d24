#include "traffic/ndjson.hpp"

#include "core/time_text.hpp"
#include "traffic/base64.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace quadrille::traffic {
namespace {

std::uint64_t count(const nlohmann::json& value, const std::string& field) {
  if (!value.is_number_unsigned())
    throw std::runtime_error(field + " is not a whole number from 0 on: " + value.dump());
  return value.get<std::uint64_t>();
}

Event parse(const std::string& line) {
  const auto json = nlohmann::json::parse(line);
  Event event;
  event.id = json.at("id");
  event.type = json.at("type");
  event.source = json.at("source");
  event.subject = json.value("subject", "");
  event.stream = StreamName::parse(json.at("stream").get<std::string>());
  event.version = count(json.at("version"), "version");
  event.saga_id = json.at("saga");
  event.causation_id = json.value("cause", "");
  event.hops = static_cast<std::uint32_t>(count(json.value("hops", nlohmann::json(0U)), "hops"));
  event.contract = json.value("contract", "");
  event.traceparent = json.value("traceparent", "");
  const auto time = from_rfc3339(json.at("time").get<std::string>());
  if (!time) throw std::runtime_error("time is not RFC 3339");
  event.recorded_at = *time;
  auto payload = from_base64(json.value("payload", ""));
  if (!payload) throw std::runtime_error("payload is not base64");
  event.payload = std::move(*payload);
  return event;
}

}  // namespace

std::string to_ndjson(const Event& event) {
  nlohmann::ordered_json json{{"id", event.id},
                              {"type", event.type},
                              {"source", event.source},
                              {"subject", event.subject},
                              {"stream", event.stream.text()},
                              {"version", event.version},
                              {"saga", event.saga_id},
                              {"cause", event.causation_id},
                              {"hops", event.hops},
                              {"contract", event.contract},
                              {"traceparent", event.traceparent},
                              {"time", to_rfc3339(event.recorded_at)},
                              {"payload", to_base64(event.payload)}};
  return json.dump();
}

void read_ndjson(std::istream& input, const std::string& name, const std::function<void(const Event&)>& take) {
  std::size_t number = 0;
  for (std::string line; std::getline(input, line);) {
    ++number;
    if (line.empty()) continue;
    try {
      take(parse(line));
    } catch (const std::exception& error) {
      throw std::runtime_error(name + ":" + std::to_string(number) + ": no event: " + error.what());
    }
  }
}

}  // namespace quadrille::traffic
