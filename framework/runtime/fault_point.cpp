#include "runtime/fault_point.hpp"

#ifdef QUADRILLE_FAULT_POINTS

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace quadrille::runtime {

void fault_point(FaultPoint point) {
  static const char* const chosen = std::getenv("QUADRILLE_FAULT_POINT");
  if (chosen != nullptr && std::string_view(chosen) == fault_point_names.at(static_cast<std::size_t>(point)))
    static_cast<void>(std::raise(SIGKILL));
}

}  // namespace quadrille::runtime

#endif
