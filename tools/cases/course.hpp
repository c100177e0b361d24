#pragma once

#include "cases/vary.hpp"
#include "quadrille/casefile/v1/case.pb.h"
#include "quadrille/casefile/v1/report.pb.h"

#include <functional>
#include <string>
#include <vector>

namespace quadrille::cases {

/// A participant of a saga that runs again.
struct Player {
  std::string participant;
  std::function<casefile::v1::Report(const casefile::v1::Case&)> run;  ///< of a case with a variation
};

/// How a saga goes: what all its participants say, and what is left open.
struct Course {
  casefile::v1::Case saga;
  std::vector<std::string> waits;  ///< steps that fail to the end, with their errors
};

/// Lets the saga take another course: each player runs its steps on what the others say, round after round, until
/// nobody says anything else. What a participant that does not play has recorded stands as long as its cause does.
/// Changes are to what every player hears. Deterministic. Throws std::runtime_error where a player cannot run the case
/// or where they answer each other without end.
[[nodiscard]] Course play(const std::vector<Player>& players, const casefile::v1::Case& recorded,
                          const std::vector<Change>& changes);

}  // namespace quadrille::cases
