#pragma once

#include "http/http_message.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace quadrille::tracker {

/// The body of POST /api/acts, read with care: what is misspelt, of another kind or of another act is refused by an
/// Error(park) that names it, for an act that was meant otherwise cannot be taken back.
class ActBody {
 public:
  /// Reads and checks it: a JSON object with an act, the fields of that act, and who and why.
  explicit ActBody(const std::string& body);

  [[nodiscard]] std::string act() const { return needed("act"); }
  [[nodiscard]] std::string who() const { return needed("who"); }
  [[nodiscard]] std::string why() const { return needed("why"); }
  /// A text that has to be there and not empty.
  [[nodiscard]] std::string needed(const char* name) const;
  [[nodiscard]] bool has(const char* name) const { return find(name) != nullptr; }
  /// False where it is not said.
  [[nodiscard]] bool flag(const char* name) const;
  /// A whole number from 0; nothing where it is not said.
  [[nodiscard]] std::optional<std::uint64_t> number(const char* name) const;
  /// A JSON object, as text; nothing where it is not said.
  [[nodiscard]] std::optional<std::string> object(const char* name) const;

 private:
  [[nodiscard]] const nlohmann::ordered_json* find(const char* name) const;
  void check_fields() const;
  void check_said_by_a_person(const char* name, int fewest_letters) const;

  nlohmann::ordered_json body_;
};

}  // namespace quadrille::tracker
