#pragma once

#include "core/event.hpp"

#include <google/protobuf/descriptor.h>
#include <nlohmann/json.hpp>

namespace quadrille::replay {

/// The payload as JSON by the contracts in `pool`. An object with "undecoded" (why, and the bytes in base64) where the
/// type is not there or the bytes do not parse.
[[nodiscard]] nlohmann::ordered_json decode(const Event& event, const google::protobuf::DescriptorPool& pool);

/// The part of a full protobuf name after the last dot.

}  // namespace quadrille::replay
