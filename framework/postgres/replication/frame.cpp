#include "postgres/replication/frame.hpp"

#include "quadrille/error.hpp"

#include <cstdint>

namespace quadrille::postgres {

Frame parse_frame(std::string_view bytes) {
  ByteReader reader(bytes);
  switch (reader.u8()) {
    case 'w':
      static_cast<void>(reader.bytes(24));  // begin, end, time
      return LogData{reader.rest()};
    case 'k': {
      Keepalive keepalive;
      keepalive.end = reader.u64();
      static_cast<void>(reader.u64());  // time
      keepalive.reply_now = reader.u8() != 0;
      reader.expect_end();
      return keepalive;
    }
    default:
      throw Error(Disposition::retry, "PostgreSQL's replication stream: a frame of unknown kind");
  }
}

std::string status_update(Lsn confirmed, std::chrono::system_clock::time_point now) {
  constexpr std::chrono::seconds from_1970_to_2000{946'684'800};
  const auto time = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch() - from_1970_to_2000);
  std::string bytes = "r";
  for (int i = 0; i < 3; ++i) put_u64(bytes, confirmed);  // written, flushed, applied
  put_u64(bytes, static_cast<std::uint64_t>(time.count()));
  return bytes + '\0';  // no reply wanted
}

}  // namespace quadrille::postgres
