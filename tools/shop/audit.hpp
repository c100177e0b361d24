#pragma once

#include "dev/system.hpp"
#include "shop/load.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace quadrille::shop {

/// How sagas stand, from the order service's events: COMPLETED, CANCELLED, RUNNING.
struct Ends {
  std::size_t completed = 0;
  std::map<std::string, std::size_t> cancelled_by_reason;
  std::size_t running = 0;

  [[nodiscard]] std::size_t cancelled() const;
};
[[nodiscard]] Ends ends(const dev::System& system);

/// Waits until no saga runs and no outbox, waiting room or hold has anything left, at most this long. Whether that
/// came.
[[nodiscard]] bool await_quiet(const dev::System& system, std::size_t sagas, std::chrono::seconds longest);

/// What must hold of a quiet shop, by reading every database: money and stock conserved, nobody charged twice or
/// without a confirmed order, every order ended once, versions without gaps, nothing parked. One sentence for each
/// violation.
[[nodiscard]] std::vector<std::string> audit(const dev::System& system, const Opening& opening,
                                             const std::vector<Order>& orders);

/// Events of a participant that are committed and not known to be at the broker.
[[nodiscard]] std::int64_t outbox_size(const dev::System& system, const std::string& participant);

/// A relay of the participant reads its replication slot.
[[nodiscard]] bool tails_the_log(const dev::System& system, const std::string& participant);

/// What a participant has parked: reason, and size of the payload kept.
struct Parked {
  std::string reason;
  std::int64_t payload_bytes = 0;
};
[[nodiscard]] std::vector<Parked> parked(const dev::System& system, const std::string& participant);

/// One saga id that ended that way: `OrderRejected` with the reason, or `OrderConfirmed`; empty when there is none.
[[nodiscard]] std::string find_saga(const dev::System& system, const std::string& reason);

}  // namespace quadrille::shop
