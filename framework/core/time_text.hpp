#pragma once

#include "core/clock.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace quadrille {

/// RFC 3339, UTC, microseconds: 2026-12-01T10:48:11.000123Z
[[nodiscard]] std::string to_rfc3339(TimePoint time);

/// Reads what to_rfc3339 writes (any number of fraction digits up to six); empty when it is something else.
[[nodiscard]] std::optional<TimePoint> from_rfc3339(std::string_view text);

/// 500ms, 3s, 15m, 2h; empty when it is something else.
[[nodiscard]] std::optional<std::chrono::milliseconds> duration_from(std::string_view text);

/// In the largest unit that leaves no rest: 24 h, 15 min, 3 s, 300 ms
[[nodiscard]] std::string duration_text(std::chrono::milliseconds duration);

}  // namespace quadrille
