#pragma once

#include "core/broker.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace quadrille::memory {

/// Questions and answers in memory: the half of MemoryBroker that no stream remembers. Thread-safe.
class Switchboard {
 public:
  [[nodiscard]] std::unique_ptr<Serving> serve(const std::string& subject, const std::string& group, Answerer answer);
  [[nodiscard]] std::vector<std::string> ask(const std::string& subject, const std::string& question,
                                             std::size_t enough, std::chrono::milliseconds longest);

 private:
  class Desk;
  void leave(Desk& desk);

  std::mutex mutex_;
  std::multimap<std::string, Desk*> desks_;  ///< by subject
};

}  // namespace quadrille::memory
