#pragma once

#include "core/clock.hpp"
#include "quadrille/control/v1/control.pb.h"

#include <google/protobuf/descriptor.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace quadrille::admin {

using Messages = std::vector<control::v1::StuckMessage>;

/// One line a message, for people.
[[nodiscard]] std::string as_table(const Messages& messages, TimePoint now);
/// One object a message, without its content.
[[nodiscard]] nlohmann::ordered_json as_json(const Messages& messages, TimePoint now);
/// Everything about one, with its headers and its payload. Decoded by the contracts in `pool` where there is one, else
/// as whoever has sent it could.
[[nodiscard]] nlohmann::ordered_json in_full(const control::v1::StuckMessage& message, TimePoint now,
                                             const google::protobuf::DescriptorPool* pool);

}  // namespace quadrille::admin
