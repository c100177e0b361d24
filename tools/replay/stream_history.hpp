#pragma once

#include "core/event.hpp"

#include <google/protobuf/descriptor.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace quadrille::replay {

/// What the events of one stream say about their aggregate after each version. The service's own state is its program's
/// secret; this is the state as told: the newest value of every field that an event carried, and the last event as
/// "stage".
struct Version {
  Event event;
  nlohmann::ordered_json state;
  nlohmann::ordered_json changed;  ///< fields of the state that this version set: {"field": {"from": ..., "to": ...}}
};

/// One entry a version, oldest first; a version that came twice is told once.
[[nodiscard]] std::vector<Version> history(std::vector<Event> events, const google::protobuf::DescriptorPool& pool);

[[nodiscard]] std::string as_text(const std::vector<Version>& versions);
[[nodiscard]] nlohmann::ordered_json as_json(const std::vector<Version>& versions);

}  // namespace quadrille::replay
