#include "coverage/record.hpp"

#include <charconv>
#include <fstream>
#include <map>
#include <stdexcept>

namespace quadrille::coverage {
namespace {

/// As the test kit writes it, parted by tabs.
struct Line {
  std::string participant;
  std::string step;
  std::string trigger;
  std::string said;
  std::uint64_t times = 0;
};

Line parse(const std::string& text, const std::string& place) {
  std::vector<std::string> fields(1);
  for (const char c : text) {
    if (c == '\t')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  std::uint64_t times = 0;
  const auto& number = fields.back();
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), times);
  if (fields.size() != 5 || parsed.ec != std::errc() || parsed.ptr != number.data() + number.size())
    throw std::runtime_error(place +
                             ": no line of a coverage record; run the tests with QUADRILLE_COVERAGE naming a "
                             "new file");
  return {fields[0], fields[1], fields[2], fields[3], times};
}

}  // namespace

std::size_t count_taken(std::span<const std::filesystem::path> records, std::vector<Branch>& branches) {
  std::map<std::pair<std::string, std::string>, std::vector<Branch*>> of_steps;
  for (auto& branch : branches) of_steps[{branch.participant, branch.step}].push_back(&branch);
  std::size_t unknown = 0;
  for (const auto& path : records) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("--record: cannot read " + path.string());
    std::size_t number = 0;
    for (std::string text; std::getline(file, text);) {
      const auto line = parse(text, path.string() + ":" + std::to_string(++number));
      bool known = false;
      if (const auto step = of_steps.find({line.participant, line.step}); step != of_steps.end())
        for (auto* branch : step->second)
          if (branch->said.empty() ? branch->trigger == line.trigger : branch->said == line.said) {
            branch->times += line.times;
            known = true;
          }
      if (!known) ++unknown;
    }
  }
  return unknown;
}

}  // namespace quadrille::coverage
