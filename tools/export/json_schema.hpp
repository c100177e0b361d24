#pragma once

#include <google/protobuf/descriptor.h>
#include <nlohmann/json.hpp>

namespace quadrille::exports {

/// JSON Schema (draft 7) of a message in protobuf's JSON mapping; nested messages are referred to as
/// #/components/schemas/NAME and added to `schemas`.
void add_schema(const google::protobuf::Descriptor& message, nlohmann::ordered_json& schemas);

}  // namespace quadrille::exports
