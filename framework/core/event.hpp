#pragma once

#include "core/clock.hpp"
#include "core/stream_name.hpp"

#include <cstdint>
#include <string>

namespace quadrille {

/// A recorded event with everything that travels with it. Headers on the wire: core/envelope.hpp.
struct Event {
  std::string id;       ///< UUID; also the broker's message id
  std::string type;     ///< full protobuf name, `shop.payment.v1.PaymentDeclined`
  std::string source;   ///< the participant that said so
  std::string subject;  ///< `evt.<lane>.<context>.<aggregate>.<Event>`
  StreamName stream;
  std::uint64_t version = 0;  ///< position in the stream, from 1
  std::string saga_id;        ///< the instance, from START to END
  std::string causation_id;   ///< id of the event that led to this one; empty at START
  std::uint32_t hops = 0;     ///< events since START; a fuse against loops nobody declared
  std::string contract;       ///< fingerprint of the contract its participant was built with
  std::string traceparent;    ///< W3C trace context
  TimePoint recorded_at{};    ///< time of the transaction that recorded it
  std::string payload;        ///< protobuf bytes

  bool operator==(const Event&) const = default;
};

}  // namespace quadrille
