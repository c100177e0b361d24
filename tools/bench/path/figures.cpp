#include "path/figures.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <utility>

namespace quadrille::bench {
namespace {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// Large numbers whole, small ones with what matters of them.
std::string number(double value) {
  if (value >= 100) return formatted("%.0f", value);
  return formatted(value >= 10 ? "%.1f" : "%.3f", value);
}

}  // namespace

void Figures::add(Figure figure) {
  std::cerr << formatted("%-52s %10s %s", figure.title.c_str(), number(figure.value).c_str(), figure.unit.c_str())
            << std::endl;
  figures_.push_back(std::move(figure));
}

double Figures::value(const std::string& name) const {
  const auto found = std::ranges::find(figures_, name, &Figure::name);
  if (found == figures_.end()) throw std::out_of_range("figure " + name + " was not measured");
  return found->value;
}

std::optional<double> Figures::ratio(const Figure& figure) const {
  if (figure.limit.empty()) return std::nullopt;
  return figure.value / value(figure.limit);
}

std::string Figures::verdict(const Figure& figure) const {
  if (figure.target.empty()) return "";
  const auto space = figure.target.find(' ');
  const auto wanted = std::stod(figure.target.substr(space));
  const auto got = ratio(figure).value_or(figure.value);
  const bool met = figure.target.starts_with("<") ? got <= wanted : got >= wanted;
  return figure.target + (met ? "  met" : "  MISSED");
}

std::string Figures::table() const {
  auto text = formatted("%-52s %10s %-8s %10s %7s  %-26s %s\n", "measured", "value", "unit", "limit", "ratio",
                        "limit is", "target");
  for (const auto& figure : figures_) {
    const auto of = ratio(figure);
    text += formatted("%-52s %10s %-8s %10s %7s  %-26s %s\n", figure.title.c_str(), number(figure.value).c_str(),
                      figure.unit.c_str(), of ? number(value(figure.limit)).c_str() : "",
                      of ? formatted("%.2f", *of).c_str() : "", figure.limit.c_str(), verdict(figure).c_str());
  }
  return text;
}

std::string Figures::json() const {
  auto list = nlohmann::ordered_json::array();
  for (const auto& figure : figures_) {
    nlohmann::ordered_json entry{
        {"name", figure.name}, {"title", figure.title}, {"value", figure.value}, {"unit", figure.unit}};
    if (const auto of = ratio(figure)) {
      entry["limit"] = figure.limit;
      entry["limit_value"] = value(figure.limit);
      entry["ratio"] = *of;
    }
    if (!figure.target.empty()) entry["target"] = verdict(figure);
    list.push_back(std::move(entry));
  }
  return nlohmann::ordered_json{{"figures", list}}.dump(2) + "\n";
}

}  // namespace quadrille::bench
