#pragma once

#include "core/stream_name.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::postgres {

/// Builds PostgreSQL's text form of an array, one element after the other: `{"a","b \"c\""}`. Used as a parameter, so
/// nothing of it is ever part of a statement.
class ArrayText {
 public:
  void add(std::string_view element);
  void add(std::int64_t element);
  void add_null();
  /// A bytea element in hexadecimal.
  void add_bytes(std::string_view bytes);
  [[nodiscard]] std::string str() const { return text_ + "}"; }

 private:
  void separate();

  std::string text_ = "{";
};

[[nodiscard]] std::string array_of(std::span<const std::string> elements);

/// The text of each array, as further parameters of a statement.
void append_to(std::vector<std::string>& parameters, std::span<const ArrayText> columns);

/// Two arrays, categories and keys: what statements join streams by.
[[nodiscard]] std::vector<std::string> columns_of(std::span<const StreamName> streams);

/// Bytes as bytea's text form `\x...`, and back. from_bytea throws Error(stop) for anything else.
[[nodiscard]] std::string to_bytea(std::string_view bytes);
[[nodiscard]] std::string from_bytea(std::string_view text);

}  // namespace quadrille::postgres
