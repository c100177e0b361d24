#pragma once

#include "quadrille/casefile/v1/case.pb.h"

#include <chrono>
#include <string>
#include <vector>

namespace quadrille::cases {

/// One thing that is otherwise than it was recorded.
struct Change {
  enum class Kind {
    drop,   ///< it does not come
    twice,  ///< it comes again at once
    first,  ///< it comes before everything else
    delay,  ///< it comes later, behind what came meanwhile
  };
  Kind kind = Kind::drop;
  std::string event;  ///< id, or type without its package: then all of that type
  std::chrono::milliseconds later{0};
};

/// The case as `participant` is to hear it. Throws std::runtime_error where no event is the one to change.
[[nodiscard]] casefile::v1::Case vary(casefile::v1::Case one, const std::string& participant,
                                      const std::vector<Change>& changes);

}  // namespace quadrille::cases
