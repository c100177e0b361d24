#pragma once

#include "core/clock.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace quadrille {

/// A random UUID (version 4) in its usual lower-case text.
[[nodiscard]] std::string new_uuid();

/// A UUID (version 7) that carries `now` in milliseconds, and the time one carries; nothing for other versions.
[[nodiscard]] std::string new_time_uuid(TimePoint now);
[[nodiscard]] std::optional<TimePoint> time_of_uuid(std::string_view uuid);

}  // namespace quadrille
