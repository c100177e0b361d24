#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"

#include <google/protobuf/descriptor.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace quadrille::admin {

/// One line a message, for people.
[[nodiscard]] std::string as_table(const std::vector<WaitingMessage>& messages, TimePoint now);
/// One object a message, without its content.
[[nodiscard]] nlohmann::ordered_json as_json(const std::vector<WaitingMessage>& messages, TimePoint now);
/// Everything about one, with its headers and its payload decoded by the contracts in `pool`.
[[nodiscard]] nlohmann::ordered_json in_full(const WaitingMessage& message, TimePoint now,
                                             const google::protobuf::DescriptorPool& pool);

}  // namespace quadrille::admin
