#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace quadrille::support {

/// A way between two processes that a test can disturb: listens on a port of the loopback interface and hands on what
/// comes, in both directions, to another. Thread-safe.
class TcpLink {
 public:
  TcpLink();
  ~TcpLink();
  TcpLink(const TcpLink&) = delete;
  TcpLink& operator=(const TcpLink&) = delete;

  [[nodiscard]] int port() const { return port_; }
  void lead_to(int port) { target_ = port; }

  enum class State {
    open,
    cut,      ///< what is there is closed, and nothing new gets through
    stalled,  ///< nobody is told anything: connections stay, and no byte moves
    slow,     ///< every piece takes `slowness` longer
  };
  static constexpr std::chrono::milliseconds slowness{40};
  void set(State state) { state_ = state; }

 private:
  void run(const std::stop_token& stopping) const;

  int listener_ = -1;
  int port_ = 0;
  std::atomic<int> target_{0};
  std::atomic<State> state_{State::open};
  std::jthread thread_;
};

}  // namespace quadrille::support
