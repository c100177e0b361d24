#include "terminal/progress.hpp"

#include "terminal/table.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <unistd.h>

namespace quadrille::terminal {
namespace {

constexpr std::chrono::milliseconds between{200};

}  // namespace

std::string progress_text(const std::string& what, std::uint64_t done, std::uint64_t total,
                          std::chrono::duration<double> spent, std::uint64_t before) {
  constexpr std::size_t width = 24;
  constexpr std::uint64_t hundred = 100;
  const double rate = spent.count() > 0 && done > before ? static_cast<double>(done - before) / spent.count() : 0;
  const auto rate_text = ", " + std::to_string(std::llround(rate)) + "/s";
  if (total == 0) return std::to_string(done) + " " + what + rate_text;
  done = std::min(done, total);
  const auto filled = static_cast<std::size_t>(done * width / total);
  std::string text = "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] " + std::to_string(done) +
                     " of " + std::to_string(total) + " " + what + ", " + std::to_string(done * hundred / total) + "%" +
                     rate_text;
  if (rate > 0) {
    const std::chrono::duration<double> left(static_cast<double>(total - done) / rate);
    text += ", " + age_text(std::chrono::duration_cast<std::chrono::microseconds>(left)) + " left";
  }
  return text;
}

Progress::Progress(std::string what, std::uint64_t total, std::uint64_t done)
    : what_(std::move(what)),
      total_(total),
      before_(done),
      shown_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()),
      next_(start_ + between) {}

Progress::~Progress() {
  if (anything_) std::cerr << "\r\x1b[K" << std::flush;
}

void Progress::at(std::uint64_t done) {
  if (!shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + between;
  anything_ = true;
  std::cerr << "\r\x1b[K" << progress_text(what_, done, total_, now - start_, before_) << std::flush;
}

}  // namespace quadrille::terminal
