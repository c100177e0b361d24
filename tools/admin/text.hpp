#pragma once

#include "core/clock.hpp"

#include <google/protobuf/timestamp.pb.h>

#include <cstdint>
#include <string>
#include <vector>

namespace quadrille::admin {

/// Rows under a heading, in columns; the last one is not padded. Nothing in it can move the cursor.
[[nodiscard]] std::string as_columns(const std::vector<std::vector<std::string>>& rows);

[[nodiscard]] TimePoint to_time(const google::protobuf::Timestamp& time);
[[nodiscard]] std::int64_t seconds_since(const google::protobuf::Timestamp& time, TimePoint now);
/// 42 s, 5 min, 3 h, 2 d
[[nodiscard]] std::string age_text(std::int64_t seconds);

}  // namespace quadrille::admin
