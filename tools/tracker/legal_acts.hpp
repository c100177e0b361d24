#pragma once

#include "tracker/standing.hpp"

#include <string>
#include <vector>

namespace quadrille::tracker {

/// Something a person could do about a saga. Its owner does it, in its own database; the tracker only says what would
/// make sense from here.
struct LegalAct {
  std::string act;          ///< retry, discard, cancel, resolve
  std::string participant;  ///< who would do it
  std::string message_id;   ///< of retry and discard; empty where a timer step is retried
  std::string step;         ///< of cancel, and of a retry of no message: the timer that would run early
  bool allowed = false;
  std::string reason;  ///< what it does; where it is refused, why
};

/// One or more of each kind, so that what is refused says why. `choreography` may be null.
[[nodiscard]] std::vector<LegalAct> legal_acts(const Standing& standing, const Choreography* choreography);

}  // namespace quadrille::tracker
