#pragma once

#include "quadrille/casefile/v1/case.pb.h"

#include <string>

namespace quadrille::cases {

/// The payload of an event of the case with a field set, `quantity` or `address.city`; `value` as JSON has it, a text
/// also without quotes. Throws std::runtime_error where the event has no such field, naming those it has, or where the
/// value is none of its kind.
[[nodiscard]] std::string with_field(const casefile::v1::Case& one, const casefile::v1::RecordedEvent& event,
                                     const std::string& field, const std::string& value);

}  // namespace quadrille::cases
