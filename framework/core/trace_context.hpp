#pragma once

#include <string>

namespace quadrille {

/// A `traceparent` (W3C Trace Context) that goes on with the trace of `parent`, sampled or not as there, under a new
/// parent id; or begins a new, sampled trace where `parent` is empty or malformed.
[[nodiscard]] std::string next_traceparent(const std::string& parent);

/// The trace id in a traceparent; empty when it is malformed.
[[nodiscard]] std::string trace_id(const std::string& traceparent);

}  // namespace quadrille
