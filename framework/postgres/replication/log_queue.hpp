#pragma once

#include "core/store.hpp"
#include "postgres/replication/bytes.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace quadrille::postgres {

/// What one connection has read from the log and the broker does not have yet, in the order of the log, and the
/// position up to which everything is settled. A transaction passes through in parts: its size bounds nothing here.
/// Not thread-safe.
class LogQueue {
 public:
  struct Limits {
    std::size_t entries = 2'000;
    std::size_t bytes = std::size_t{32} << 20U;
  };
  struct Logged {
    Outbox::Entry entry;
    Lsn commit = 0;  ///< of its transaction
  };

  explicit LogQueue(Limits limits) : limits_(limits) {}

  void add(Logged logged);
  /// Everything of the log before `end` has been added: with what was added so far it is settled, too.
  void reached(Lsn end);
  /// Enough for now: adding waits until something is settled.
  [[nodiscard]] bool full() const { return entries_ >= limits_.entries || bytes_ >= limits_.bytes; }
  [[nodiscard]] std::vector<Logged> oldest(std::size_t limit) const;
  /// Positions that are not here are no fault: those of an earlier connection.
  void settle(std::span<const std::uint64_t> positions);
  /// What the server need not send again; 0 when that is not known yet.
  [[nodiscard]] Lsn confirmed() const { return confirmed_; }

 private:
  struct Item {
    std::optional<Logged> logged;  ///< empty: settled, or none
    Lsn end = 0;                   ///< not 0: a place the log was read to
  };
  [[nodiscard]] static std::size_t size_of(const Logged& logged);
  void forget_settled();

  Limits limits_;
  std::deque<Item> items_;
  std::size_t entries_ = 0;
  std::size_t bytes_ = 0;
  Lsn confirmed_ = 0;
};

}  // namespace quadrille::postgres
