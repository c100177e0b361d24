#pragma once

#include "postgres/replication/bytes.hpp"
#include "quadrille/error.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

struct pg_conn;

namespace quadrille::postgres {

/// Another connection reads the slot.
class SlotInUse final : public Error {
 public:
  explicit SlotInUse(const std::string& what) : Error(Disposition::retry, what) {}
};

/// One connection in replication mode, of one thread. Every call throws Error(retry) when the server is gone or says
/// no.
class ReplicationConnection {
 public:
  /// `keywords` as libpq takes them, without `replication`.
  explicit ReplicationConnection(const std::string& keywords);

  /// Begins to read the slot where it was last confirmed. The publication's name is one of ours. Throws SlotInUse when
  /// somebody else reads it.
  void start(const std::string& slot, const std::string& publication);
  /// The next frame, valid until the next call; empty when none comes in time.
  [[nodiscard]] std::string_view receive(std::chrono::milliseconds longest);
  void report(Lsn confirmed);
  /// How long the server waits for a sign of life; zero: for ever.
  [[nodiscard]] std::chrono::milliseconds patience_of_server() const { return patience_; }

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };
  struct Free {
    void operator()(char* bytes) const;
  };
  [[nodiscard]] Error failure(const char* doing) const;
  [[nodiscard]] std::string_view take();

  std::unique_ptr<pg_conn, Finish> connection_;
  std::unique_ptr<char, Free> frame_;
  std::chrono::milliseconds patience_{0};
};

}  // namespace quadrille::postgres
