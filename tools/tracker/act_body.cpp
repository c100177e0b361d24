#include "tracker/act_body.hpp"

#include "core/utf8.hpp"
#include "quadrille/error.hpp"
#include "tracker/question.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace quadrille::tracker {
namespace {

constexpr std::size_t longest_text = 500;
constexpr int fewest_letters_of_a_name = 2;
constexpr int fewest_letters_of_a_reason = 5;

struct Kind {
  std::string_view act;
  std::vector<std::string_view> fields;
};

/// The acts and what each takes beside act, who and why.
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{{"retry", {"participant", "message_id", "payload", "saga_id", "part", "step"}},
                                     {"retry_all", {"participant", "class", "dry_run"}},
                                     {"discard", {"participant", "message_id"}},
                                     {"cancel", {"saga_id", "part"}},
                                     {"resolve", {"saga_id", "part", "outcome"}},
                                     {"rebuild", {"from"}}};
  return all;
}

const Kind& kind_called(const std::string& act) {
  const auto found = std::ranges::find(kinds(), act, &Kind::act);
  if (found != kinds().end()) return *found;
  std::vector<std::string_view> names;
  for (const auto& kind : kinds()) names.push_back(kind.act);
  throw Error(Disposition::park, "act: '" + act + "' is not " + either(names));
}

Error wrong(const char* name, const std::string& wanted) {
  return {Disposition::park, name + (" has to be " + wanted)};
}

}  // namespace

ActBody::ActBody(const std::string& body) : body_(nlohmann::ordered_json::parse(body, nullptr, false)) {
  if (!body_.is_object()) throw Error(Disposition::park, "the body is no JSON object");
  check_fields();
  check_said_by_a_person("who", fewest_letters_of_a_name);
  check_said_by_a_person("why", fewest_letters_of_a_reason);
}

void ActBody::check_fields() const {
  const auto said = act();
  const auto& kind = kind_called(said);
  std::vector<std::string_view> known{"act", "who", "why"};
  known.insert(known.end(), kind.fields.begin(), kind.fields.end());
  for (const auto& [name, value] : body_.items())
    if (std::ranges::find(known, name) == known.end())
      throw Error(Disposition::park, "field " + to_text(name) + " is not known of the act " + std::string(kind.act) +
                                         "; it takes " + either(known));
}

/// Of any alphabet: what is not ASCII counts.
void ActBody::check_said_by_a_person(const char* name, int fewest_letters) const {
  const auto text = needed(name);
  const auto letters = std::ranges::count_if(text, [](unsigned char c) { return std::isalpha(c) != 0 || c >= 0xC0; });
  if (letters < fewest_letters || text.size() > longest_text)
    throw Error(Disposition::park, std::string(name) + " needs at least " + std::to_string(fewest_letters) +
                                       " letters, and at most " + std::to_string(longest_text) +
                                       " bytes: it stays in the audit trail");
}

const nlohmann::ordered_json* ActBody::find(const char* name) const {
  const auto found = body_.find(name);
  return found == body_.end() || found->is_null() ? nullptr : &*found;
}

std::string ActBody::needed(const char* name) const {
  const auto* found = find(name);
  if (found != nullptr && !found->is_string()) throw wrong(name, "a text");
  auto text = found == nullptr ? std::string() : found->get<std::string>();
  if (text.empty()) throw Error(Disposition::park, std::string(name) + " is missing");
  if (!is_text(text)) throw wrong(name, "UTF-8 without NUL");
  return text;
}

bool ActBody::flag(const char* name) const {
  const auto* found = find(name);
  if (found != nullptr && !found->is_boolean()) throw wrong(name, "true or false");
  return found != nullptr && found->get<bool>();
}

std::optional<std::uint64_t> ActBody::number(const char* name) const {
  const auto* found = find(name);
  if (found == nullptr) return std::nullopt;
  if (!found->is_number_unsigned()) throw wrong(name, "a whole number from 0");
  return found->get<std::uint64_t>();
}

std::optional<std::string> ActBody::object(const char* name) const {
  const auto* found = find(name);
  if (found == nullptr) return std::nullopt;
  if (!found->is_object()) throw wrong(name, "a JSON object");
  return found->dump();
}

}  // namespace quadrille::tracker
