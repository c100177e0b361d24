#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// SHA-256 in lower-case hexadecimal.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace quadrille
