#pragma once

#include "tracker/census.hpp"
#include "tracker/choreographies.hpp"
#include "tracker/tables.hpp"

#include <cstddef>
#include <list>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace quadrille::tracker {

/// Folds events into the tables of one generation. Tolerates what comes late, twice or out of order, for a saga is
/// judged from all its events each time. Used by one thread.
class Projection {
 public:
  /// `census` may be null: of a generation that is not served yet.
  Projection(Tables& tables, Choreographies& choreographies, Census* census);

  [[nodiscard]] const Position& position() const { return position_; }
  /// Folds what was read up to `to`, in one transaction. False when another tracker writes the same tables, or a
  /// commit was in doubt: nothing was done, and position() has been read anew.
  [[nodiscard]] bool take(std::span<const Recorded> events, const Position& to, TimePoint now);
  /// Turns what is past its deadline STUCK, some at a time; whether there may be more.
  [[nodiscard]] bool sweep(TimePoint now);
  /// Judges sagas in flight again, after the contracts have changed: call until it returns false.
  [[nodiscard]] bool judge_again(TimePoint now);
  /// Removes what was over before that.
  void forget(TimePoint before);
  /// Judges a saga anew also where an event of it is known already: its row was written by a tracker before this one.
  void judge_whatever_comes() { whatever_comes_ = true; }
  /// Its tables are served from now on.
  void count_in(Census& census);
  /// The contracts have changed: judge_again() begins anew.
  void contracts_changed();

 private:
  using Events = std::map<std::string, std::vector<const Recorded*>>;
  [[nodiscard]] bool apply(const Events& by_saga, Change change, TimePoint now);
  void make_known(const Events& by_saga);
  void forget_surplus();
  void begin_anew();

  Tables& tables_;
  Choreographies& choreographies_;
  Census* census_;
  Position position_;
  // Sagas that moved lately, so that the next event of one needs no query.
  std::list<std::string> recent_;  ///< most recent first
  struct Entry {
    Known known;
    std::list<std::string>::iterator place;
  };
  std::unordered_map<std::string, Entry> known_;
  bool whatever_comes_ = false;
  bool in_doubt_ = false;
  bool judging_again_ = true;  ///< from the start: who ended before may have known fewer contracts
  std::string judged_up_to_;
};

}  // namespace quadrille::tracker
