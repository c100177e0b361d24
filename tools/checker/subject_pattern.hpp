#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::checker {

/// Some subject matches both patterns (`*` one token, `>` one or more at the end).
[[nodiscard]] bool overlap(std::string_view one, std::string_view other);

/// Every subject that matches `inner` matches `outer`.
[[nodiscard]] bool covers(std::string_view outer, std::string_view inner);

/// Patterns with numbers, for asking which of many overlap one. Costs what the answer and its way down are.
class SubjectIndex {
 public:
  void add(std::string_view pattern, int number);
  /// Ascending, each once.
  [[nodiscard]] std::vector<int> overlapping(std::string_view pattern) const;

 private:
  struct Branch {
    std::map<std::string, std::unique_ptr<Branch>, std::less<>> next;
    std::vector<int> numbers;
  };
  static void collect(const Branch& branch, const std::vector<std::string_view>& tokens, std::size_t at,
                      std::vector<int>& found);
  static void collect_all(const Branch& branch, std::vector<int>& found);

  Branch root_;
};

}  // namespace quadrille::checker
