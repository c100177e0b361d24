#pragma once

#include "contract/model.hpp"
#include "core/broker.hpp"

#include <chrono>

namespace quadrille::contract {

/// How long the broker waits for an acknowledgement before it delivers again.
inline constexpr std::chrono::milliseconds usual_ack_wait{10'000};

/// What a participant's contract asks of the broker: the stream, and a durable for each context it hears and lane.
[[nodiscard]] Topology topology_of(const Participant& participant, std::chrono::milliseconds ack_wait = usual_ack_wait);

}  // namespace quadrille::contract
