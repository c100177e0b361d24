#include "contract/cpp_names.hpp"

#include <cctype>
#include <set>

namespace quadrille::contract {
namespace {

const std::set<std::string>& keywords() {
  static const std::set<std::string> words{
      "alignas", "and",      "asm",      "auto",     "bool",     "break",   "case",      "catch",    "char",
      "class",   "concept",  "const",    "continue", "decltype", "default", "delete",    "do",       "double",
      "else",    "enum",     "explicit", "export",   "extern",   "false",   "float",     "for",      "friend",
      "goto",    "if",       "inline",   "int",      "long",     "mutable", "namespace", "new",      "noexcept",
      "not",     "nullptr",  "or",       "private",  "operator", "public",  "register",  "requires", "return",
      "short",   "signed",   "sizeof",   "static",   "struct",   "switch",  "this",      "throw",    "true",
      "try",     "typedef",  "typename", "union",    "using",    "virtual", "void",      "while",    "xor",
      "handle",  "contract", "unsigned", "volatile", "protected"};
  return words;
}

}  // namespace

std::string snake_case(const std::string& rpc) {
  std::string name;
  for (std::size_t i = 0; i < rpc.size(); ++i) {
    const auto letter = static_cast<unsigned char>(rpc[i]);
    if (std::isupper(letter) != 0 && i > 0 && std::islower(static_cast<unsigned char>(rpc[i - 1])) != 0) name += '_';
    name += static_cast<char>(std::tolower(letter));
  }
  return name;
}

std::string step_function(const std::string& rpc) {
  auto name = snake_case(rpc);
  return keywords().contains(name) ? name + "_" : name;
}

std::string cpp_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {  // a question mark may begin a trigraph
      literal += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7f) {  // three digits, whatever comes next
      literal += '\\';
      for (const unsigned shift : {6U, 3U, 0U}) literal += static_cast<char>('0' + (byte >> shift & 7U));
    } else {
      literal += c;
    }
  }
  return literal + "\"";
}

std::string cpp_scope(const std::string& proto_name) {
  std::string name;
  for (const char c : proto_name) name += c == '.' ? std::string("::") : std::string(1, c);
  return name;
}

}  // namespace quadrille::contract
