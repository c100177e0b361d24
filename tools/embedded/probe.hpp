#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

namespace quadrille::embedded {

/// Looks at the condition until it holds, at most this long. Whether it held.
template <class Condition>
bool await(const Condition& condition, std::chrono::milliseconds longest) {
  const auto end = std::chrono::steady_clock::now() + longest;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

/// Somebody listens on the port of the loopback interface.
[[nodiscard]] bool accepts_connections(int port);

/// The last lines of a file; says so where there is none.
[[nodiscard]] std::string tail(const std::filesystem::path& file);

}  // namespace quadrille::embedded
