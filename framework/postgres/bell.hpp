#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

struct pg_conn;

namespace quadrille::postgres {

/// Signals between processes of one database by NOTIFY and LISTEN, on connections of their own. Rings are coalesced to
/// one NOTIFY every few milliseconds and sent outside the writers' transactions: in them it would serialise all
/// commits. Thread-safe but for await(), which one thread at a time may call.
class Bell {
 public:
  explicit Bell(std::string connection_string);
  ~Bell();

  void ring();
  /// True when somebody rang. Throws Error(retry) when the server cannot be reached; the next call connects anew.
  bool await(std::chrono::milliseconds longest);

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };
  using Connection = std::unique_ptr<pg_conn, Finish>;

  [[nodiscard]] Connection open() const;
  void send(const std::stop_token& stopping);

  const std::string connection_string_;
  Connection listening_;
  std::mutex mutex_;
  std::condition_variable_any rung_here_;
  bool rung_ = false;
  std::jthread sender_;
};

}  // namespace quadrille::postgres
