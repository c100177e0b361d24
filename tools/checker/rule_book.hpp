#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace quadrille::checker {

/// What a person should know of a rule.
struct RuleText {
  std::string_view code;
  std::string_view title;
  std::string_view why;  ///< how it hurts in production
  std::string_view repair;
};

/// Every rule, by code.
[[nodiscard]] const std::vector<RuleText>& rule_book();
[[nodiscard]] std::optional<RuleText> find_rule(std::string_view code);

}  // namespace quadrille::checker
