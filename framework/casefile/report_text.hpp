#pragma once

#include "quadrille/casefile/v1/report.pb.h"

#include <string>

namespace quadrille::casefile {

/// Whether the program of today does otherwise than the one that was recorded, or throws.
[[nodiscard]] bool has_findings(const v1::Report& report);

/// same, different, new error, not recorded, in flight, varied, not run
[[nodiscard]] const char* name_of(v1::Verdict verdict);

/// For people: a line a run, and below it what differs.
[[nodiscard]] std::string as_text(const v1::Report& report);

/// One line of protobuf's JSON, without the line's end, and back. from_json throws std::runtime_error.
[[nodiscard]] std::string to_json(const v1::Report& report);
[[nodiscard]] v1::Report from_json(const std::string& line);

}  // namespace quadrille::casefile
