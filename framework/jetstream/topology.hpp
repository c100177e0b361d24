#pragma once

#include "core/broker.hpp"
#include "jetstream/connection.hpp"

namespace quadrille::jetstream {

/// Broker::ensure over JetStream's JSON API: an old client library cannot erase fields it does not know.
void ensure_topology(const Connection& connection, const Topology& topology);

}  // namespace quadrille::jetstream
