#pragma once

#include "core/store.hpp"
#include "postgres/replication/bytes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::postgres {

/// The replication slot of the store's database, as statements over ordinary connections. Thread-safe.
class Slot {
 public:
  explicit Slot(Store& store) : store_(store) {}

  enum class State { there, missing, lost };
  [[nodiscard]] State state(const std::string& name);
  [[nodiscard]] std::string name();
  /// Throws Error(stop) where there is no publication: nobody could read the slot, and it would keep the log for ever.
  void create(const std::string& name);
  void drop(const std::string& name);
  /// How much log the server keeps for it. Empty where there is no slot.
  [[nodiscard]] std::optional<std::uint64_t> lag_bytes();
  /// Where the log ends now: what is visible to anybody was written before it.
  [[nodiscard]] Lsn end_of_log();
  /// Throws Error(stop) that names everything a tailing relay lacks, each with its fix. Returns warnings.
  [[nodiscard]] std::vector<std::string> check();

 private:
  Store& store_;
};

}  // namespace quadrille::postgres
