#pragma once

#include "core/event.hpp"
#include "postgres/postgres_store.hpp"

#include <functional>

namespace quadrille::postgres {

/// Hands over every event of a participant's event store in the order of commits, as one COPY in one snapshot: for
/// tools that read all of it. Memory does not grow with the events. Throws Error: retry when the server goes away
/// meanwhile, stop when it refuses us or has no such table.
void copy_events(const PostgresSettings& settings, const std::function<void(const Event&)>& take);

}  // namespace quadrille::postgres
