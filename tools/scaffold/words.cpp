#include "scaffold/words.hpp"

#include <cctype>
#include <regex>
#include <stdexcept>

namespace quadrille::scaffold {
namespace {

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string snake_case(const std::string& camel) {
  std::string snake;
  for (std::size_t i = 0; i < camel.size(); ++i) {
    if (is_upper(camel[i]) && i > 0 && !is_upper(camel[i - 1])) snake += '_';
    snake += static_cast<char>(std::tolower(static_cast<unsigned char>(camel[i])));
  }
  return snake;
}

std::string camel_case(const std::string& snake) {
  std::string camel;
  bool upper = true;
  for (const char c : snake) {
    if (c != '_') camel += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = c == '_';
  }
  return camel;
}

void check_lower_name(const std::string& name, const std::string& what) {
  if (!std::regex_match(name, std::regex("[a-z][a-z0-9_]*")))
    throw std::runtime_error(what + " '" + name + "' has to be of lower-case letters, digits and underscores");
}

void check_upper_name(const std::string& name, const std::string& what) {
  if (!std::regex_match(name, std::regex("[A-Z][A-Za-z0-9]*")))
    throw std::runtime_error(what + " '" + name + "' has to be of letters and digits, an upper-case letter first");
}

}  // namespace quadrille::scaffold
