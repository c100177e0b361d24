#pragma once

#include <string>

namespace quadrille {

/// A URL, or a libpq connection string of keywords, with its password replaced by ***. Text without one is unchanged.
[[nodiscard]] std::string without_password(const std::string& text);

}  // namespace quadrille
