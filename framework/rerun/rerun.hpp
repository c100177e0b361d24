#pragma once

#include "quadrille/casefile/v1/case.pb.h"
#include "quadrille/casefile/v1/report.pb.h"
#include "rerun/fuzz.hpp"
#include "rerun/watched.hpp"
#include "runtime/part.hpp"

#include <chrono>
#include <map>
#include <string>

namespace quadrille::rerun {

/// Hands recorded sagas to the steps of a participant again, in memory, and compares what they say with the record.
/// framework/DESIGN.md "Running again" says what is compared with what. Used by one thread; the participant outlives
/// it.
class Rerunner {
 public:
  /// `timeouts`: of timer steps, where they were not those of the contract. Throws Error(stop) as runtime::Part does.
  explicit Rerunner(Participant& participant, const std::map<std::string, std::chrono::milliseconds>& timeouts = {});

  [[nodiscard]] const runtime::Part& part() const { return part_; }
  /// Never throws for what a step does or a case lacks: the report says so.
  [[nodiscard]] casefile::v1::Report run(const casefile::v1::Case& one);
  /// The same saga with its deliveries disturbed in many ways; a variation of the case is disturbed further.
  [[nodiscard]] casefile::v1::Report fuzz(const casefile::v1::Case& one, const FuzzOptions& options);

 private:
  void sign(casefile::v1::Report& report, const casefile::v1::Case& one) const;

  WatchedParticipant watched_;
  runtime::Part part_;
};

}  // namespace quadrille::rerun
