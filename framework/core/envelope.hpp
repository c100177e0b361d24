#pragma once

#include "core/broker.hpp"
#include "core/event.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

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

/// The value of a header; nothing where there is none.
using HeaderOf = std::function<std::optional<std::string_view>(const std::string& name)>;
/// The same from where headers are looked up one by one, into an event that was there before: whoever reads many
/// messages needs no memory for each. After an error the event is of no use.
void read_event(std::string_view subject, std::string_view payload, const HeaderOf& header_of, Event& event);

/// Bytes the message takes on the wire, headers and their framing included.
[[nodiscard]] std::size_t wire_bytes(const Message& message);

}  // namespace quadrille
