#include "replay/stream_history.hpp"

#include "core/short_name.hpp"
#include "core/time_text.hpp"
#include "replay/decode.hpp"

#include <algorithm>

namespace quadrille::replay {
namespace {

void set(Version& version, const std::string& field, const nlohmann::ordered_json& value) {
  const auto before = version.state.contains(field) ? version.state[field] : nlohmann::ordered_json();
  if (before == value && version.state.contains(field)) return;
  version.changed[field] = {{"from", before}, {"to", value}};
  version.state[field] = value;
}

}  // namespace

std::vector<Version> history(std::vector<Event> events, const google::protobuf::DescriptorPool& pool) {
  std::ranges::stable_sort(events, {}, &Event::version);
  const auto repeated = std::ranges::unique(events, {}, &Event::version);
  events.erase(repeated.begin(), repeated.end());
  std::vector<Version> versions;
  auto state = nlohmann::ordered_json::object();
  for (auto& event : events) {
    Version version{std::move(event), state, nlohmann::ordered_json::object()};
    set(version, "stage", short_name(version.event.type));
    const auto told = decode(version.event, pool);
    for (const auto& [field, value] : told.items()) set(version, field, value);
    state = version.state;
    versions.push_back(std::move(version));
  }
  return versions;
}

std::string as_text(const std::vector<Version>& versions) {
  std::string text;
  for (const auto& version : versions) {
    text += "version " + std::to_string(version.event.version) + "  " + short_name(version.event.type) + "  " +
            to_rfc3339(version.event.recorded_at) + "  saga " + version.event.saga_id + "\n";
    for (const auto& [field, change] : version.changed.items())
      text += change["from"].is_null()
                  ? "  + " + field + ": " + change["to"].dump() + "\n"
                  : "  ~ " + field + ": " + change["from"].dump() + " -> " + change["to"].dump() + "\n";
    text += "  = " + version.state.dump() + "\n";
  }
  return text;
}

nlohmann::ordered_json as_json(const std::vector<Version>& versions) {
  auto result = nlohmann::ordered_json::array();
  for (const auto& version : versions)
    result.push_back({{"version", version.event.version},
                      {"event", version.event.type},
                      {"id", version.event.id},
                      {"time", to_rfc3339(version.event.recorded_at)},
                      {"saga", version.event.saga_id},
                      {"state", version.state},
                      {"changed", version.changed}});
  return result;
}

}  // namespace quadrille::replay
