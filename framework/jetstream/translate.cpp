#include "jetstream/translate.hpp"

#include <cstdint>

namespace quadrille::jetstream {

Disposition disposition_of(natsStatus status) {
  switch (status) {
    case NATS_NOT_PERMITTED:
    case NATS_CONNECTION_AUTH_FAILED:
    case NATS_SECURE_CONNECTION_REQUIRED:
    case NATS_SECURE_CONNECTION_WANTED:
    case NATS_SSL_ERROR:
    case NATS_INVALID_ARG:
    case NATS_ADDRESS_MISSING:
    case NATS_INVALID_SUBJECT:
      return Disposition::stop;
    case NATS_MAX_PAYLOAD:
      return Disposition::park;
    default:
      return Disposition::retry;
  }
}

void check(natsStatus status, const std::string& doing) {
  if (status == NATS_OK) return;
  throw Error(disposition_of(status), "NATS, " + doing + ": " + natsStatus_GetText(status));
}

Published meaning_of(natsStatus status, int error_code, bool duplicate, std::uint64_t sequence) {
  if (status == NATS_NOT_PERMITTED) return Published::refused;
  if (status != NATS_OK || error_code != 0) return Published::unknown;
  // A duplicate without a sequence is staged but not committed: a change of leader may still drop it.
  if (duplicate && sequence == 0) return Published::unknown;
  return Published::stored;
}

}  // namespace quadrille::jetstream
