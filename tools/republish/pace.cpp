#include "republish/pace.hpp"

#include <cmath>
#include <cstdlib>
#include <string>

namespace quadrille::republish {

std::optional<Pace> Pace::parse(std::string_view text) {
  if (text == "recorded") return Pace(1);
  if (text == "max") return Pace(0);
  if (!text.starts_with('x')) return std::nullopt;
  const std::string number(text.substr(1));
  char* end = nullptr;
  const double factor = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !std::isfinite(factor) || factor <= 0) return std::nullopt;
  return Pace(factor);
}

Pace::Steady::time_point Pace::due(TimePoint recorded, Steady::time_point now) {
  if (factor_ == 0) return now;
  if (!first_) {
    first_ = recorded;
    start_ = now;
  }
  const std::chrono::duration<double> since = (recorded - *first_) / factor_;
  return start_ + std::chrono::duration_cast<Steady::duration>(since);
}

}  // namespace quadrille::republish
