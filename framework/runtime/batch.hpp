#pragma once

#include "core/broker.hpp"
#include "core/event.hpp"
#include "core/store.hpp"
#include "runtime/common_flush.hpp"
#include "runtime/event_handler.hpp"
#include "runtime/gate.hpp"
#include "runtime/part.hpp"
#include "runtime/retry_policy.hpp"
#include "runtime/step_failed.hpp"
#include "runtime/tally.hpp"
#include "runtime/unit_of_work.hpp"
#include "telemetry/log.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::runtime {

/// Deliveries on their way through one transaction: claimed in the inbox, judged by the gate, handled or put into the
/// waiting room. A batch is run again, without what failed, until it commits.
class Batch {
 public:
  Batch(const Part& part, const EventHandler& handler, const RetryPolicy& retry, const telemetry::Log& log,
        const std::vector<Delivery>& deliveries);

  /// Leases that have to be held, and by whom.
  struct Rights {
    std::span<const Lease> leases;
    std::string_view owner;
  };
  /// One try, to the commit. Throws StepFailed with the index for exclude(), Error(retry) where a lease is another's,
  /// or what the store throws.
  void run(Transaction& transaction, Rights rights, Limits limits, TimePoint now);
  /// The next run puts this one into the waiting room, or parks it, instead of handling it.
  void exclude(std::size_t index, Failure failure);
  /// The last run has recorded events.
  [[nodiscard]] bool recorded_anything() const { return recorded_anything_; }
  /// The last run has put something into the waiting room.
  [[nodiscard]] bool put_to_wait() const { return !waiting_.empty(); }
  /// What the last run adds to the numbers, once it is committed.
  [[nodiscard]] const Tally& tally() const { return tally_; }

 private:
  struct Item {
    const Delivery* delivery = nullptr;
    std::string id;              ///< for the inbox
    std::optional<Event> event;  ///< empty: headers that cannot be read
    std::string unreadable;      ///< why
    std::optional<Failure> failure;
  };

  void handle_all(Transaction& transaction, Rights rights, Limits limits, TimePoint now);
  void take(std::size_t index, Gate& gate, UnitOfWork& unit, TimePoint now);
  void wait(const Item& item, Waiting state, const std::string& reason, TimePoint now, TimePoint due_at);
  void park(const Item& item, const std::string& reason, TimePoint now);
  void wait_after_failure(const Item& item, TimePoint now);
  /// True when something was said.
  [[nodiscard]] bool say_what_is_stuck(Transaction& transaction, TimePoint now) const;
  void count_waiting();
  [[nodiscard]] std::vector<Inbox::Key> claims() const;
  [[nodiscard]] std::vector<StreamName> streams() const;
  /// Those whose steps may run.
  [[nodiscard]] std::vector<StreamName> aggregates() const;
  [[nodiscard]] telemetry::Fields about(const Item& item) const;

  const Part& part_;
  const EventHandler& handler_;
  const RetryPolicy& retry_;
  const telemetry::Log& log_;
  std::vector<Item> items_;
  std::vector<WaitingMessage> waiting_;
  Tally tally_;
  bool recorded_anything_ = false;
  CommonFlush flush_;
};

}  // namespace quadrille::runtime
