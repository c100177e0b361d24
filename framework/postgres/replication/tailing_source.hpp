#pragma once

#include "core/outbox_source.hpp"
#include "postgres/postgres_store.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace quadrille::postgres {

struct TailingSettings {
  std::uint64_t lag_limit = std::uint64_t{256} << 20U;  ///< bytes of log kept for the slot, past which it warns
  std::chrono::milliseconds between_lag_checks{10'000};
  std::chrono::milliseconds between_sweeps{10'000};  ///< looks at the outbox for what the log has not shown
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  std::function<void(const std::string&)> info = [](const std::string&) {};
};

/// Reads what is to be published from the database's log, through the slot and publication that `quadrille migrate
/// --log-tailing` makes. While the log cannot be read it reads the outbox instead, so nothing waits for the slot.
/// `database` is that of the store, which outlives the source. Throws Error(stop) that names everything that is missing
/// with its fix.
[[nodiscard]] std::unique_ptr<OutboxSource> tail(Store& store, const PostgresSettings& database,
                                                 TailingSettings settings);

/// How many bytes of log the database keeps for the slot of log tailing, whoever reads it; empty where there is none.
[[nodiscard]] std::optional<std::uint64_t> slot_lag_bytes(Store& store);

/// For a relay that polls: a sentence about a slot that was left behind and keeps the server's log; empty where there
/// is none.
[[nodiscard]] std::string forgotten_slot(Store& store);

}  // namespace quadrille::postgres
