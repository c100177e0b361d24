#pragma once

#include "core/broker.hpp"
#include "core/event.hpp"
#include "jetstream/handles.hpp"

namespace quadrille::jetstream {

/// Copies everything out. nats.c reads headers lazily and not thread-safely: only on the thread that has the message.
[[nodiscard]] Message from_nats(natsMsg* message);
/// Without the detour by a Message. Throws as read_event does.
void event_from_nats(natsMsg* message, Event& event);

[[nodiscard]] Msg to_nats(const Message& message);

}  // namespace quadrille::jetstream
