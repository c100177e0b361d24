#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quadrille::traffic {

/// RFC 4648, with padding.
[[nodiscard]] std::string to_base64(std::string_view bytes);
/// Nothing where the text is none.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace quadrille::traffic
