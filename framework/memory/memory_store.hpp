#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace quadrille::memory {

struct Tables;

/// A Store in memory, for tests: transactions run one after the other, each on a copy that commit() puts in place.
/// Passes the same contract suite as the one on PostgreSQL. Thread-safe.
class MemoryStore final : public Store {
 public:
  /// The clock outlives the store; leases and times of events go by it.
  explicit MemoryStore(const Clock& clock);
  ~MemoryStore() override;

  [[nodiscard]] std::unique_ptr<Transaction> begin() override;
  void ring() override;
  bool await_ring(std::chrono::milliseconds longest) override;
  void maintain() override;

  /// The next commit throws Error(retry): before it took effect, or after (a commit in doubt).
  enum class Fault { none, before_commit, after_commit };
  void fail_next_commit(Fault fault);
  /// Appending an event of this key throws Error(retry), as a trigger of the service's may; empty: of none.
  void refuse_events_of(const std::string& key);
  /// Called at each of these moments of every transaction, before_commit alone under the lock that keeps transactions
  /// apart; may throw, as the process's end would.
  enum class Moment { before_begin, before_commit, after_commit };
  void on_moment(std::function<void(Moment)> call) { on_moment_ = std::move(call); }

  /// How many transactions have been committed.
  [[nodiscard]] std::uint64_t commits() const { return commits_; }
  /// How many events are not known to be at the broker.
  [[nodiscard]] std::size_t unpublished();
  /// When the next timer, or message of the waiting room, is due.
  [[nodiscard]] std::optional<TimePoint> next_due();

 private:
  friend class MemoryTransaction;

  const Clock& clock_;
  std::mutex one_transaction_;
  std::mutex mutex_;
  std::condition_variable rung_;
  bool bell_ = false;
  Fault fault_ = Fault::none;
  std::function<void(Moment)> on_moment_;
  std::atomic<std::uint64_t> commits_{0};
  std::unique_ptr<Tables> tables_;
};

}  // namespace quadrille::memory
