#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace quadrille::terminal {

/// How far long work is, on standard error and only where that is a terminal: a bar where the end is known, how many,
/// how many a second, and how long it will take. Used by one thread.
class Progress {
 public:
  /// `what` is done: "sagas", "events". `total`: 0 where it is not known.
  /// `done`: before it began, which says nothing about its rate.
  explicit Progress(std::string what, std::uint64_t total = 0, std::uint64_t done = 0);
  /// Wipes the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// For each of them: shows something a few times a second.
  void at(std::uint64_t done);

 private:
  const std::string what_;
  const std::uint64_t total_;
  const std::uint64_t before_;
  const bool shown_;
  const std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_;
  bool anything_ = false;
};

/// `[#####.....] 1234567 of 2000000 events, 61%, 52000/s, 14 s left`; without bar and end where `total` is 0.
[[nodiscard]] std::string progress_text(const std::string& what, std::uint64_t done, std::uint64_t total,
                                        std::chrono::duration<double> spent, std::uint64_t before = 0);

}  // namespace quadrille::terminal
