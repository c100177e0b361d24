#pragma once

#include "postgres/replication/bytes.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <variant>

/// What travels in the copy-both stream around the messages of the plugin (PostgreSQL's manual, "Streaming Replication
/// Protocol").
namespace quadrille::postgres {

struct LogData {
  std::string_view message;  ///< of pgoutput, within the frame's bytes
};
struct Keepalive {
  Lsn end = 0;  ///< all that the publication holds before it has been sent
  bool reply_now = false;
};
using Frame = std::variant<LogData, Keepalive>;

/// Throws Error(retry) for bytes that are no frame.
[[nodiscard]] Frame parse_frame(std::string_view bytes);

/// Tells the server that it need not send anything before `confirmed` again.
[[nodiscard]] std::string status_update(Lsn confirmed, std::chrono::system_clock::time_point now);

}  // namespace quadrille::postgres
