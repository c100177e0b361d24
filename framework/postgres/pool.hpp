#pragma once

#include "postgres/connection.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace quadrille::postgres {

/// A bounded pool. Thread-safe.
class Pool {
 public:
  explicit Pool(PostgresSettings settings) : settings_(std::move(settings)) {}

  /// An idle connection, or a new one. Waits while all are in use; Error(retry) when none comes free in time.
  [[nodiscard]] ConnectionPtr take();
  /// Gives one back; a broken one is not to be given back but to be dropped, and forgotten by lost().
  void give_back(ConnectionPtr connection);
  void lost();

 private:
  void had_again();

  const PostgresSettings settings_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<ConnectionPtr> idle_;
  int open_ = 0;           ///< idle or in use
  bool lost_one_ = false;  ///< and has had none since
};

}  // namespace quadrille::postgres
