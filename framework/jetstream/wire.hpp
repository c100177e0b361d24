#pragma once

#include "core/broker.hpp"
#include "jetstream/handles.hpp"

namespace quadrille::jetstream {

/// Copies everything out. nats.c reads headers lazily and not thread-safely: only on the thread that has the message.
[[nodiscard]] Message from_nats(natsMsg* message);

[[nodiscard]] Msg to_nats(const Message& message);

}  // namespace quadrille::jetstream
