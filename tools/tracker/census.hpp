#pragma once

#include "tracker/tables.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace quadrille::tracker {

/// How many sagas there are of each kind, kept up as they move, so that nobody has to count tables. Thread-safe.
class Census {
 public:
  struct Counts {
    std::map<std::pair<std::string, State>, std::int64_t> by_state;       ///< saga type and state
    std::map<std::pair<std::string, std::string>, std::int64_t> stuck;    ///< saga type and reason class; not resolved
    std::map<std::string, std::int64_t> waiting;                          ///< by step
    std::map<std::pair<std::string, std::string>, std::uint64_t> passed;  ///< events by participant and type
  };

  /// Counts what the tables hold.
  void count(postgres::Pool& pool);
  void move(const std::vector<Tallied>& before, const std::vector<Tallied>& after);
  void pass(const std::map<std::pair<std::string, std::string>, std::uint64_t>& events);
  [[nodiscard]] Counts counts() const;

 private:
  void add(const Tallied& part, std::int64_t amount);

  mutable std::mutex mutex_;
  Counts counts_;
};

}  // namespace quadrille::tracker
