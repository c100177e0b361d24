#pragma once

#include <fstream>
#include <string>
#include <sys/types.h>

namespace quadrille::bench {

/// A field of /proc/PID/status in megabytes, such as VmRSS, VmHWM, or RssAnon: without files that are mapped. 0 where
/// the process is gone.
inline double process_memory(pid_t pid, const std::string& field) {
  constexpr double kilo = 1024;
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string word; status >> word;)
    if (word == field + ":" && status >> word) return std::stod(word) / kilo;
  return 0;
}

}  // namespace quadrille::bench
