#pragma once

#include "core/store.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

/// The port through which the relay learns what to publish. Two implementations pass tests/contract/relay:
/// runtime/polling_source reads the outbox, postgres/replication reads the database's log.
namespace quadrille {

/// Whatever the source, the outbox is the record of what is not known to be at the broker: sources can be changed, and
/// what one has missed another still finds. Used by the thread of the active relay alone,
/// but for lag_bytes().
class OutboxSource {
 public:
  virtual ~OutboxSource() = default;
  /// `more` may then be called, by any thread, when take() may have something new to give. Before the first take().
  virtual void on_more(std::function<void()> more) = 0;
  /// The oldest entries that are not settled, without waiting for any; within a stream always in version order. An
  /// entry that was published by somebody else may be among them: a duplicate, which receivers drop.
  [[nodiscard]] virtual std::vector<Outbox::Entry> take(std::size_t limit) = 0;
  /// The broker has these and the outbox has them no longer.
  virtual void settle(std::span<const std::uint64_t> positions) = 0;
  /// This process is not the active relay, or not any more: gives up what only one process can have. Until the next
  /// take() nothing calls `more`.
  virtual void release() = 0;
  /// How many bytes of log the database keeps for this source alone; empty where there is no log, or none can be read.
  /// By any thread.
  [[nodiscard]] virtual std::optional<std::uint64_t> lag_bytes() = 0;
};

}  // namespace quadrille
