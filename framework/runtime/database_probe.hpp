#pragma once

#include "core/outbox_source.hpp"
#include "core/store.hpp"
#include "quadrille/control/v1/control.pb.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace quadrille::runtime {

/// Looks at a participant's database on a thread of its own, so that an instance can say in time how it is even where
/// the database is slow, and that it is. Everything it is given outlives it. Thread-safe.
class DatabaseProbe {
 public:
  DatabaseProbe(std::string participant, Store& store, OutboxSource& source);
  ~DatabaseProbe();

  struct Result {
    std::string state;  ///< "ok", or why there is nothing
    std::optional<control::v1::Database> database;
  };
  /// What a look that begins now finds within the time.
  [[nodiscard]] Result look(std::chrono::milliseconds longest);

 private:
  void run(const std::stop_token& stopping);
  [[nodiscard]] Result measure() const;

  const std::string participant_;
  Store& store_;
  OutboxSource& source_;
  std::mutex mutex_;
  std::condition_variable_any bell_;
  std::uint64_t wanted_ = 0;  ///< looks are counted
  std::uint64_t begun_ = 0;
  std::uint64_t done_ = 0;
  Result last_;
  std::jthread thread_;
};

}  // namespace quadrille::runtime
