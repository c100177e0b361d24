#pragma once

#include <string>
#include <string_view>

namespace quadrille::tracker {

/// Compares without telling by its time where two texts differ.
[[nodiscard]] bool same_secret(std::string_view one, std::string_view other);

/// The first line of a file. Throws Error(stop) that names the setting when it is empty or cannot be read.
[[nodiscard]] std::string read_token(const std::string& file);

}  // namespace quadrille::tracker
