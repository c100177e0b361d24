#include "telemetry/heartbeats.hpp"

namespace quadrille::telemetry {
namespace {

constexpr std::array<const char*, 4> names{"dispatcher", "relay", "sweeper", "lease keeper"};

}  // namespace

Heartbeats::Heartbeats() {
  const auto now = std::chrono::steady_clock::now();
  for (auto& last : last_) last = now;
}

void Heartbeats::beat(Loop loop, Time now) { last_[static_cast<std::size_t>(loop)] = now; }

std::vector<std::string> Heartbeats::silent_for(std::chrono::milliseconds longest, Time now) const {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto silence = std::chrono::duration_cast<std::chrono::seconds>(now - last_[i].load());
    if (silence > longest)
      sentences.push_back(std::string("the ") + names[i] + " has not gone round for " +
                          std::to_string(silence.count()) + " s");
  }
  return sentences;
}

}  // namespace quadrille::telemetry
