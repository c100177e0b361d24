#include "tracker/question.hpp"

#include "core/reason.hpp"
#include "core/utf8.hpp"

#include <algorithm>

namespace quadrille::tracker {

void check_question(const http::Request& request, const std::vector<std::string_view>& parameters) {
  if (!is_text(request.rest)) throw Error(Disposition::park, "the path is not UTF-8, or has a NUL in it");
  for (const auto& [name, value] : request.query) {
    if (std::ranges::find(parameters, name) == parameters.end())
      throw Error(Disposition::park, "parameter " + to_text(name) + " is not known here" +
                                         (parameters.empty() ? ": there is none" : "; known: " + either(parameters)));
    if (!is_text(value)) throw Error(Disposition::park, "parameter " + name + " is not UTF-8, or has a NUL in it");
  }
}

bool asked_for(const http::Request& request, const std::string& parameter) {
  const auto value = request.asked(parameter);
  if (!value.empty() && value != "0" && value != "1") refuse_value(parameter, value, "1 or 0");
  return value == "1";
}

ReasonClass reason_class_called(const std::string& parameter, const std::string& name) {
  std::vector<std::string_view> known;
  for (const auto reason : all_reason_classes) {
    if (name_of(reason) == name) return reason;
    known.push_back(name_of(reason));
  }
  refuse_value(parameter, name, either(known));
}

void refuse_value(const std::string& parameter, const std::string& value, const std::string& wanted) {
  throw Error(Disposition::park, "parameter " + parameter + ": '" + value + "' is not " + wanted);
}

std::string either(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace quadrille::tracker
