#pragma once

#include "cases/course.hpp"

#include <string>

namespace quadrille::cases {

/// Where a saga ends by what was recorded and where by another course, and which events make the difference.
/// `unchanged`: the course with nothing changed; told where it is not the recorded one.
[[nodiscard]] std::string as_text(const casefile::v1::Case& recorded, const Course& unchanged, const Course& course);

}  // namespace quadrille::cases
