#pragma once

#include "core/store.hpp"
#include "quadrille/error.hpp"

#include <array>
#include <string_view>

namespace quadrille {

/// Its name in lower case, as logs, metrics and tools show it.
[[nodiscard]] constexpr std::string_view name_of(ReasonClass reason) {
  switch (reason) {
    case ReasonClass::technical:
      return "technical";
    case ReasonClass::business:
      return "business";
    case ReasonClass::contract:
      return "contract";
    case ReasonClass::configuration:
      return "configuration";
    case ReasonClass::overload:
      return "overload";
  }
  return "technical";
}

inline constexpr std::array all_reason_classes{ReasonClass::technical, ReasonClass::business, ReasonClass::contract,
                                               ReasonClass::configuration, ReasonClass::overload};

[[nodiscard]] constexpr std::string_view name_of(Waiting state) {
  switch (state) {
    case Waiting::retry:
      return "retry";
    case Waiting::gap:
      return "gap";
    case Waiting::behind:
      return "behind";
    case Waiting::parked:
      return "parked";
  }
  return "parked";
}

}  // namespace quadrille
