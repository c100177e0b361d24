#pragma once

#include "core/broker.hpp"
#include "core/event.hpp"

/// Event <-> Message: CloudEvents binary mode (ce-*), one header an attribute. Header names are case-sensitive.
///
///   Nats-Msg-Id, ce-id   event id            ce-sagaid       saga id
///   ce-specversion       1.0                 ce-causationid  id of the causing event
///   ce-type              full proto name     ce-stream       stream name
///   ce-source            participant         ce-version      stream version
///   ce-subject           key                 ce-hops         events since START
///   ce-time              RFC 3339, UTC, µs   ce-contract     contract fingerprint
///   ce-datacontenttype   application/protobuf                traceparent  W3C trace context
namespace quadrille {

[[nodiscard]] Message to_message(const Event& event);

/// Throws Error(park) that names the header which is missing or malformed.
[[nodiscard]] Event to_event(const Message& message);

/// Bytes the message takes on the wire, headers and their framing included.
[[nodiscard]] std::size_t wire_bytes(const Message& message);

}  // namespace quadrille
