#include "postgres/array_text.hpp"

#include "quadrille/error.hpp"

#include <array>
#include <cstdint>

namespace quadrille::postgres {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

void append_hex(std::string& text, std::string_view bytes) {
  for (const unsigned char byte : bytes) {
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
}

unsigned value_of(char digit) {
  const auto value = digits.find(digit);
  if (value == std::string_view::npos)
    throw Error(Disposition::stop, "PostgreSQL sent bytes in another form than hexadecimal; set bytea_output to hex");
  return static_cast<unsigned>(value);
}

}  // namespace

void ArrayText::separate() {
  if (text_.size() > 1) text_ += ',';
}

void ArrayText::add(std::string_view element) {
  separate();
  text_ += '"';
  for (const char c : element) {
    if (c == '"' || c == '\\') text_ += '\\';
    text_ += c;
  }
  text_ += '"';
}

void ArrayText::add(std::int64_t element) {
  separate();
  text_ += std::to_string(element);
}

void ArrayText::add_null() {
  separate();
  text_ += "NULL";
}

void ArrayText::add_bytes(std::string_view bytes) {
  separate();
  text_.reserve(text_.size() + 2 * bytes.size() + 6);
  text_ += "\"\\\\x";
  append_hex(text_, bytes);
  text_ += '"';
}

std::string array_of(std::span<const std::string> elements) {
  ArrayText array;
  for (const auto& element : elements) array.add(element);
  return array.str();
}

void append_to(std::vector<std::string>& parameters, std::span<const ArrayText> columns) {
  for (const auto& column : columns) parameters.push_back(column.str());
}

std::vector<std::string> columns_of(std::span<const StreamName> streams) {
  std::array<ArrayText, 2> columns;
  for (const auto& stream : streams) {
    columns[0].add(stream.category);
    columns[1].add(stream.key);
  }
  std::vector<std::string> parameters;
  append_to(parameters, columns);
  return parameters;
}

std::string to_bytea(std::string_view bytes) {
  std::string text = "\\x";
  append_hex(text, bytes);
  return text;
}

std::string from_bytea(std::string_view text) {
  if (!text.starts_with("\\x") || text.size() % 2 != 0) value_of('\0');
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 2; i < text.size(); i += 2)
    bytes += static_cast<char>(value_of(text[i]) << 4U | value_of(text[i + 1]));
  return bytes;
}

}  // namespace quadrille::postgres
