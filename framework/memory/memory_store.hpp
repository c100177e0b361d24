#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

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

 private:
  friend class MemoryTransaction;

  const Clock& clock_;
  std::mutex one_transaction_;
  std::mutex mutex_;
  std::condition_variable rung_;
  bool bell_ = false;
  Fault fault_ = Fault::none;
  std::unique_ptr<Tables> tables_;
};

}  // namespace quadrille::memory
