#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quadrille::jetstream {

/// What the reply subject of a delivery says (ADR-15): `$JS.ACK.<stream>.<consumer>.<deliveries>.<stream seq>...` or,
/// newer,
/// `$JS.ACK.<domain>.<account>.<stream>.<consumer>...`.
struct AckSubject {
  std::string consumer;
  std::uint32_t deliveries = 0;
  std::uint64_t sequence = 0;
  std::uint64_t pending = 0;  ///< behind it, not delivered then
};
[[nodiscard]] std::optional<AckSubject> parse_ack_subject(std::string_view subject);

}  // namespace quadrille::jetstream
