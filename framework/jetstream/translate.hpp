#pragma once

#include "core/broker.hpp"
#include "quadrille/error.hpp"

#include <nats/nats.h>

#include <cstdint>
#include <string>

namespace quadrille::jetstream {

/// What the caller does after a status of nats.c.
[[nodiscard]] Disposition disposition_of(natsStatus status);

/// Throws Error unless the status is OK. `doing` says what was tried.
void check(natsStatus status, const std::string& doing);

/// What the answer to a publication means. `error_code` is JetStream's (0: none), `sequence` and `duplicate` the
/// positive answer's.
[[nodiscard]] Published meaning_of(natsStatus status, int error_code, bool duplicate, std::uint64_t sequence);

}  // namespace quadrille::jetstream
