#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// Valid UTF-8 without NUL: what a database's text and a log line can hold.
[[nodiscard]] bool is_text(std::string_view bytes);

/// The bytes with whatever is not text replaced by '?'.
[[nodiscard]] std::string to_text(std::string_view bytes);

}  // namespace quadrille
