#pragma once

#include "postgres/replication/log_queue.hpp"
#include "postgres/replication/slot.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace quadrille::postgres {

class ReplicationConnection;

/// A thread that reads the log through the slot into a bounded queue, tells the server what is settled, and keeps it
/// patient while the queue is full. Connects again by itself; makes the slot anew where it was lost. Thread-safe, but
/// start() and stop() are of one thread.
class Tail {
 public:
  struct Settings {
    std::string keywords;  ///< of the connection, as libpq takes them
    LogQueue::Limits limits;
    std::function<void(const std::string&)> warn;
    std::function<void(const std::string&)> info;
  };

  /// `more` is called when there is something new, or the connection has come or gone.
  Tail(Slot& slot, Settings settings, std::function<void()> more);
  ~Tail();

  void start();
  void stop();
  /// Grows with every connection; 0 while there is none. What commits after it was seen is in the log.
  [[nodiscard]] std::uint64_t session() const;
  /// Nothing where the session is over and another has begun.
  [[nodiscard]] std::vector<LogQueue::Logged> oldest(std::uint64_t session, std::size_t limit) const;
  void settle(std::span<const std::uint64_t> positions);

 private:
  void run(const std::stop_token& stopping);
  void read(const std::string& slot, const std::stop_token& stopping);
  void stream(ReplicationConnection& connection, const std::stop_token& stopping);
  void ready_slot(const std::string& name);
  [[nodiscard]] bool is_full() const;
  void begin_session();
  void end_session();
  void complain(const std::string& what);

  Slot& slot_;
  const Settings settings_;
  const std::function<void()> more_;
  mutable std::mutex mutex_;
  std::condition_variable_any room_;
  LogQueue queue_;
  std::uint64_t sessions_ = 0;
  bool connected_ = false;
  std::string complaint_;  ///< of the thread: what it has said last, so as to say it once
  std::jthread thread_;
};

}  // namespace quadrille::postgres
