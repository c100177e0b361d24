#pragma once

#include "postgres/pool.hpp"
#include "tracker/standing.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::tracker {

/// How far the broker's stream was read. A stream that was made anew has another time of creation and is read from its
/// beginning: events that are known change nothing.
struct Position {
  std::uint64_t sequence = 0;
  std::string stream_created;
  bool operator==(const Position&) const = default;
};

/// What counts of a saga's part for the totals.
struct Tallied {
  std::string saga;
  State state = State::running;
  std::string stuck_class;         ///< empty unless STUCK
  std::vector<std::string> steps;  ///< that it waits for
};
[[nodiscard]] Tallied tallied(const Standing& standing);

/// A saga as the tables have it.
struct Known {
  Trail trail;
  std::vector<Tallied> parts;
};

/// What one transaction changes.
struct Change {
  std::vector<const Trail*> trails;                                     ///< that have grown
  std::vector<Standing> standings;                                      ///< of all parts of the sagas in `sagas`
  std::vector<std::string> sagas;                                       ///< ids; their parts are written anew
  std::map<std::pair<std::string, std::string>, std::uint64_t> passed;  ///< events by participant and type
  Position from;
  Position to;
};

/// The tables of one generation. One thread writes; see list.hpp for what readers ask.
class Tables {
 public:
  Tables(const postgres::PostgresSettings& settings, int generation);

  [[nodiscard]] Position position();
  [[nodiscard]] std::map<std::string, Known> load(const std::vector<std::string>& saga_ids);
  /// False, and nothing done, when the position is not `from` any more: somebody else writes these tables.
  [[nodiscard]] bool write(const Change& change);
  /// Sagas that are past their deadline and do not count as STUCK yet.
  [[nodiscard]] std::vector<std::string> overdue(TimePoint now, std::size_t limit);
  /// Ids after `after` of sagas that are not over, in their order.
  [[nodiscard]] std::vector<std::string> open_sagas(const std::string& after, std::size_t limit);
  /// Removes sagas that were over before `before`, at most `limit`; how many.
  std::size_t forget(TimePoint before, std::size_t limit);

  [[nodiscard]] postgres::Pool& pool() { return pool_; }
  [[nodiscard]] int generation() const { return generation_; }

 private:
  const int generation_;
  postgres::Pool pool_;
};

}  // namespace quadrille::tracker
