#pragma once

#include <array>
#include <cstdint>

namespace quadrille::runtime {

/// Where a process may die between two effects that belong together. In the test build (QUADRILLE_FAULT_POINTS) it does
/// so, by SIGKILL, at the point that the variable QUADRILLE_FAULT_POINT names; elsewhere a point is nothing at all.
enum class FaultPoint : std::uint8_t {
  claimed,           ///< a batch has entered its messages in the inbox; no step has run
  recorded,          ///< a batch has said everything; nothing is committed
  committed,         ///< a batch is committed; nothing is acknowledged
  acknowledged,      ///< a batch is over; nobody has rung for the relay
  published,         ///< the broker has the relay's messages; they are in the outbox still
  removed,           ///< and are not any more
  waiting_recorded,  ///< a message of the waiting room is handled; nothing is committed
  waiting_over,      ///< and is committed
  timer_recorded,    ///< timer steps have run; nothing is committed
  timer_over,        ///< and are committed
  command_recorded,  ///< a command has run; nothing is committed
  command_over,      ///< and is committed; its caller knows nothing
  leases_surplus,    ///< another instance has come; it has not been given its part of the leases
};

inline constexpr std::array fault_point_names{"claimed",        "recorded",   "committed",        "acknowledged",
                                              "published",      "removed",    "waiting_recorded", "waiting_over",
                                              "timer_recorded", "timer_over", "command_recorded", "command_over",
                                              "leases_surplus"};

#ifdef QUADRILLE_FAULT_POINTS
void fault_point(FaultPoint point);
#else
inline void fault_point(FaultPoint) {}
#endif

}  // namespace quadrille::runtime
