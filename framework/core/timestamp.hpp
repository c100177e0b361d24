#pragma once

#include "core/clock.hpp"

#include <google/protobuf/timestamp.pb.h>
#include <google/protobuf/util/time_util.h>

#include <chrono>

namespace quadrille {

/// Times as protobuf writes them, to the microsecond, and back.
[[nodiscard]] inline google::protobuf::Timestamp to_timestamp(TimePoint time) {
  return google::protobuf::util::TimeUtil::MicrosecondsToTimestamp(time.time_since_epoch().count());
}
[[nodiscard]] inline TimePoint to_time(const google::protobuf::Timestamp& time) {
  return TimePoint(std::chrono::microseconds(google::protobuf::util::TimeUtil::TimestampToMicroseconds(time)));
}

}  // namespace quadrille
