#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"
#include "runtime/part.hpp"
#include "runtime/tally.hpp"

namespace quadrille::runtime {

/// Says for an orchestrated saga what the waiting room says for a message that fails: where this event, just recorded,
/// tells that the patience of a step is spent, the step is stuck, and the saga is parked until a person has it tried
/// again; of a compensation, which is repeated for ever, it is said only. Where it tells that the step goes on, that is
/// said too. Other events are left alone. Part of the transaction that records the event.
void watch_patience(const Part& part, Transaction& transaction, const Event& event, TimePoint now, Tally& tally);

}  // namespace quadrille::runtime
