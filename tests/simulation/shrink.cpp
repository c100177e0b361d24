#include "simulation/shrink.hpp"

#include <algorithm>

namespace simulation {

Schedule shrink(Schedule schedule, const std::function<bool(const Schedule&)>& fails) {
  for (auto length = schedule.size(); length > 0;) {
    bool left_out = false;
    for (std::size_t from = 0; from < schedule.size();) {
      auto shorter = schedule;
      const auto begin = shorter.begin() + static_cast<std::ptrdiff_t>(from);
      shorter.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(length, schedule.size() - from)));
      if (fails(shorter)) {
        schedule = std::move(shorter);
        left_out = true;
      } else {
        from += length;
      }
    }
    if (length > 1)
      length /= 2;
    else if (!left_out)
      return schedule;
  }
  return schedule;
}

}  // namespace simulation
