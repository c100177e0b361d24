#pragma once

#include <chrono>
#include <string>
#include <vector>

/// What the tool prints for people.
namespace quadrille::terminal {

/// Columns as wide as their widest cell, the first row as heading, no blanks at the ends of lines. Control signs in
/// cells are shown as '?': what others have written must not steer a terminal.
[[nodiscard]] std::string table(std::vector<std::vector<std::string>> rows);

/// 42 s, 5 min, 3 h, 2 d
[[nodiscard]] std::string age_text(std::chrono::microseconds age);

}  // namespace quadrille::terminal
