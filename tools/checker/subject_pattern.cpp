#include "checker/subject_pattern.hpp"

#include <algorithm>

namespace quadrille::checker {
namespace {

std::vector<std::string_view> tokens_of(std::string_view subject) {
  std::vector<std::string_view> tokens;
  for (std::size_t start = 0;;) {
    const auto dot = subject.find('.', start);
    tokens.push_back(subject.substr(start, dot == std::string_view::npos ? dot : dot - start));
    if (dot == std::string_view::npos) return tokens;
    start = dot + 1;
  }
}

}  // namespace

bool overlap(std::string_view one, std::string_view other) {
  const auto a = tokens_of(one);
  const auto b = tokens_of(other);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] == ">" || b[i] == ">") return true;
    if (a[i] != b[i] && a[i] != "*" && b[i] != "*") return false;
  }
  return a.size() == b.size();
}

bool covers(std::string_view outer, std::string_view inner) {
  const auto a = tokens_of(outer);
  const auto b = tokens_of(inner);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i >= b.size()) return false;
    if (a[i] == ">") return true;
    if (b[i] == ">" || (a[i] != "*" && a[i] != b[i])) return false;
  }
  return a.size() == b.size();
}

void SubjectIndex::add(std::string_view pattern, int number) {
  auto* branch = &root_;
  for (const auto token : tokens_of(pattern)) {
    auto found = branch->next.find(token);
    if (found == branch->next.end()) found = branch->next.emplace(std::string(token), std::make_unique<Branch>()).first;
    branch = found->second.get();
  }
  branch->numbers.push_back(number);
}

std::vector<int> SubjectIndex::overlapping(std::string_view pattern) const {
  std::vector<int> found;
  collect(root_, tokens_of(pattern), 0, found);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void SubjectIndex::collect(const Branch& branch, const std::vector<std::string_view>& tokens, std::size_t at,
                           std::vector<int>& found) {
  if (at == tokens.size()) {
    found.insert(found.end(), branch.numbers.begin(), branch.numbers.end());
    return;
  }
  if (tokens[at] == ">") {
    for (const auto& [token, next] : branch.next) collect_all(*next, found);
    return;
  }
  const auto follow = [&](std::string_view token) {
    if (const auto next = branch.next.find(token); next != branch.next.end())
      collect(*next->second, tokens, at + 1, found);
  };
  if (tokens[at] == "*") {
    for (const auto& [token, next] : branch.next)
      if (token != ">") collect(*next, tokens, at + 1, found);
  } else {
    follow(tokens[at]);
    follow("*");
  }
  if (const auto rest = branch.next.find(">"); rest != branch.next.end())
    found.insert(found.end(), rest->second->numbers.begin(), rest->second->numbers.end());
}

void SubjectIndex::collect_all(const Branch& branch, std::vector<int>& found) {
  found.insert(found.end(), branch.numbers.begin(), branch.numbers.end());
  for (const auto& [token, next] : branch.next) collect_all(*next, found);
}

}  // namespace quadrille::checker
