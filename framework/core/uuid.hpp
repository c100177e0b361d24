#pragma once

#include <string>

namespace quadrille {

/// A random UUID (version 4) in its usual lower-case text.
[[nodiscard]] std::string new_uuid();

/// A `traceparent` (W3C Trace Context) that goes on with the trace of `parent` under a new span, or begins a new trace
/// where `parent` is empty or malformed.
[[nodiscard]] std::string next_traceparent(const std::string& parent);

/// The trace id in a traceparent; empty when it is malformed.
[[nodiscard]] std::string trace_id(const std::string& traceparent);

}  // namespace quadrille
