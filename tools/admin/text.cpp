#include "admin/text.hpp"

#include <google/protobuf/util/time_util.h>

namespace quadrille::admin {

TimePoint to_time(const google::protobuf::Timestamp& time) {
  return TimePoint(std::chrono::microseconds(google::protobuf::util::TimeUtil::TimestampToMicroseconds(time)));
}

std::int64_t seconds_since(const google::protobuf::Timestamp& time, TimePoint now) {
  return std::chrono::duration_cast<std::chrono::seconds>(now - to_time(time)).count();
}

}  // namespace quadrille::admin
