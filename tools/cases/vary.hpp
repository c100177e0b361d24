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
    set,    ///< it says something else
  };
  Kind kind = Kind::drop;
  std::string event;  ///< id, or type without its package: then all of that type
  std::chrono::milliseconds later{0};
  std::string field{};  ///< to set, `reason` or `address.city`
  std::string value{};  ///< as JSON has it; of a text field without quotes

  /// `StockReserved.quantity=2`. Throws std::runtime_error for something else.
  static Change parse_set(const std::string& text);
};

/// What of the case a participant is to hear, and when. What no change names any more is not changed.
[[nodiscard]] casefile::v1::Variation hearing(const casefile::v1::Case& one, const std::vector<Change>& changes);

/// Lets events say something else, as far as the changes do. Throws std::runtime_error where one has no such field.
void set_fields(casefile::v1::Case& one, const std::vector<Change>& changes);

/// The case as `participant` is to hear it. Throws std::runtime_error where no event is the one to change, or where it
/// has no such field, naming those it has.
[[nodiscard]] casefile::v1::Case vary(casefile::v1::Case one, const std::string& participant,
                                      const std::vector<Change>& changes);

}  // namespace quadrille::cases
