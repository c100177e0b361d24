#pragma once

#include "quadrille/casefile/v1/case.pb.h"

#include <string>

namespace quadrille::cases {

/// For people: where it is from, which contracts, the timeline, and each event's content as JSON.
[[nodiscard]] std::string as_text(const casefile::v1::Case& one);
/// For machines: the same as one JSON document.
[[nodiscard]] std::string as_json(const casefile::v1::Case& one);

}  // namespace quadrille::cases
