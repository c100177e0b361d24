#pragma once

#include "core/clock.hpp"

#include <google/protobuf/timestamp.pb.h>

#include <cstdint>

namespace quadrille::admin {

[[nodiscard]] std::int64_t seconds_since(const google::protobuf::Timestamp& time, TimePoint now);

}  // namespace quadrille::admin
