#include "admin/text.hpp"

#include "core/timestamp.hpp"

namespace quadrille::admin {

std::int64_t seconds_since(const google::protobuf::Timestamp& time, TimePoint now) {
  return std::chrono::duration_cast<std::chrono::seconds>(now - to_time(time)).count();
}

}  // namespace quadrille::admin
