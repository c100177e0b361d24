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

/// A `traceparent` (W3C Trace Context) that goes on with the trace of `parent` under a new span, or begins a new trace
/// where `parent` is empty or malformed.
[[nodiscard]] std::string next_traceparent(const std::string& parent);

/// The trace id in a traceparent; empty when it is malformed.
[[nodiscard]] std::string trace_id(const std::string& traceparent);

}  // namespace quadrille
