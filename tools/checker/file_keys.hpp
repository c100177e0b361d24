#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::checker {

/// Names that a .proto file imports, in order, whichever quotes it uses and however many stand on a line. A statement
/// that runs over several lines is not seen.
[[nodiscard]] std::vector<std::string> imports_of(std::string_view text);

/// A key for each file that changes when its bytes change, or those of anything it imports among the files.
[[nodiscard]] std::map<std::string, std::string> keys_of(const std::map<std::string, std::string>& texts);

}  // namespace quadrille::checker
