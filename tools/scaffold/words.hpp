#pragma once

#include <string>

/// How the same thing is called in a contract, in C++ and in a file name.
namespace quadrille::scaffold {

/// SeatTaken -> seat_taken
[[nodiscard]] std::string snake_case(const std::string& camel);
/// front_desk -> FrontDesk
[[nodiscard]] std::string camel_case(const std::string& snake);

/// Lower-case letters, digits and underscores, a letter first. Throws std::runtime_error that names `what` and the
/// repair.
void check_lower_name(const std::string& name, const std::string& what);
/// Letters and digits, an upper-case letter first.
void check_upper_name(const std::string& name, const std::string& what);

}  // namespace quadrille::scaffold
