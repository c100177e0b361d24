#include "republish/renew.hpp"

#include "core/sha256.hpp"

#include <algorithm>
#include <cctype>

namespace quadrille::republish {
namespace {

constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
constexpr std::size_t version_at = 14;
constexpr std::size_t variant_at = 19;

bool is_uuid(std::string_view id) {
  if (id.size() != form.size()) return false;
  for (std::size_t i = 0; i < id.size(); ++i)
    if (form[i] == '-' ? id[i] != '-' : std::isxdigit(static_cast<unsigned char>(id[i])) == 0) return false;
  return true;
}

}  // namespace

std::string renewed(std::string_view id, std::string_view salt) {
  if (id.empty()) return {};
  const auto digits = sha256(std::string(salt) + ":" + std::string(id));
  constexpr std::size_t short_digits = 12;
  if (!is_uuid(id)) return std::string(id) + "-" + digits.substr(0, short_digits);
  std::string other(id);
  // A UUID of version 7 begins with its time, of which durations are measured.
  for (std::size_t i = id[version_at] == '7' ? version_at : 0; i < other.size(); ++i)
    if (form[i] != '-' && i != version_at && i != variant_at) other[i] = digits[i];
  return other;
}

void renew(Event& event, std::string_view salt) {
  event.id = renewed(event.id, salt);
  event.causation_id = renewed(event.causation_id, salt);
  event.saga_id = renewed(event.saga_id, salt);
}

}  // namespace quadrille::republish
