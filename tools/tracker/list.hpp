#pragma once

#include "tracker/tables.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::tracker {

/// Which sagas to list. What is empty does not narrow.
struct Filter {
  std::vector<State> states;
  std::string saga;                         ///< type
  std::string step;                         ///< waits for it: payment.Capture; the longest wait comes first then
  std::string key;                          ///< begins with it
  std::string id;                           ///< begins with it
  std::optional<ReasonClass> reason_class;  ///< STUCK for that
  std::string error;                        ///< STUCK, and its error has this in it
  std::optional<TimePoint> started_before;
  std::size_t limit = 50;
  bool newest_first = false;
  std::string after;  ///< `next` of the page before
};

/// Nothing but type and state narrows it.
[[nodiscard]] bool is_by_type_and_state(const Filter& filter);

struct Page {
  std::vector<std::string> rows;  ///< JSON, as summary_of() makes it
  std::string next;               ///< empty where there is no more
};

/// Throws Error(park) when `after` is none of ours.
[[nodiscard]] Page list(postgres::Pool& pool, const Filter& filter);

/// How many match, counted up to `most`.
[[nodiscard]] std::uint64_t count(postgres::Pool& pool, const Filter& filter, std::uint64_t most);

}  // namespace quadrille::tracker
