#pragma once

#include "quadrille/casefile/v1/case.pb.h"
#include "quadrille/casefile/v1/report.pb.h"
#include "rerun/plan.hpp"
#include "rerun/watched.hpp"

#include <chrono>
#include <cstdint>
#include <set>
#include <string>

namespace quadrille::rerun {

struct FuzzOptions {
  std::uint32_t tries = 0;
  std::uint64_t seed = 1;
  std::chrono::milliseconds latest{60'000};  ///< no delivery is later than this
  std::set<std::string> tolerated;           ///< event types without package that may come, or not, as they like
};

/// Hands the saga over with its deliveries moved, repeated, lost and delayed at random, through gate and inbox, and
/// reports the fewest disturbances after which it ends otherwise than undisturbed. The same seed gives the same report.
/// `plan`: of the case.
[[nodiscard]] casefile::v1::Report fuzz(const runtime::Part& part, WatchedParticipant& participant, const Plan& plan,
                                        const casefile::v1::Case& one, const FuzzOptions& options);

}  // namespace quadrille::rerun
