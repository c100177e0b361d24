#pragma once

#include "memory/memory_broker.hpp"
#include "memory/memory_store.hpp"
#include "runtime/part.hpp"
#include "simulation/ledger.hpp"
#include "testing/saga_state.hpp"

#include <map>
#include <string>
#include <vector>

namespace simulation {

struct Judged {
  const quadrille::runtime::Part& part;
  quadrille::memory::MemoryStore& store;
  const Ledger& ledger;
};

/// What has to hold of everything that was recorded when nothing is left to do. Adds to the history's findings; tells
/// how many sagas ended how.
[[nodiscard]] std::map<quadrille::testing::SagaState, std::size_t> judge_end(
    const std::vector<Judged>& all, const quadrille::memory::MemoryBroker& broker, History& history);

}  // namespace simulation
