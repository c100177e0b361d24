#pragma once

#include "testing/witness.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

namespace quadrille::testing {

/// Which branches of which steps the tests of this process have taken. Where the environment names a file in
/// QUADRILLE_COVERAGE, it is appended to that at the end of the process: a line a branch, its fields parted by tabs:
/// participant, step, full name of the trigger, full name of the event it said (or `nothing`), how often. Thread-safe.
class CoverageRecord {
 public:
  [[nodiscard]] static CoverageRecord& of_this_process();
  void add(const StepRun& run);

  CoverageRecord(const CoverageRecord&) = delete;
  CoverageRecord& operator=(const CoverageRecord&) = delete;

 private:
  CoverageRecord();
  ~CoverageRecord();

  const std::string file_;
  std::mutex mutex_;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::uint64_t> taken_;
};

}  // namespace quadrille::testing
