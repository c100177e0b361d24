#pragma once

#include "jetstream/stream_follower.hpp"
#include "postgres/pool.hpp"
#include "tracker/choreographies.hpp"

#include <memory>

namespace quadrille::tracker {

/// Every contract that the tracker has ever seen.
void load_contracts(postgres::Pool& pool, Choreographies& choreographies);

/// Learns which contracts run from the broker's registry, and keeps every one that was ever seen: sagas that began
/// under an older one are still told by it. Used by one thread.
class ContractWatch {
 public:
  /// Begins with those of the database.
  ContractWatch(const jetstream::JetStreamSettings& settings, postgres::Pool& pool, Choreographies& choreographies);

  /// Whether something has changed since the last call. While the registry is not there yet, nothing has.
  [[nodiscard]] bool look();

 private:
  void keep(const v1::Registration& registration);

  const jetstream::JetStreamSettings settings_;
  postgres::Pool& pool_;
  Choreographies& choreographies_;
  std::unique_ptr<jetstream::StreamFollower> follower_;
};

}  // namespace quadrille::tracker
