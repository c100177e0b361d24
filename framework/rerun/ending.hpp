#pragma once

#include "quadrille/casefile/v1/report.pb.h"

#include <set>
#include <string>
#include <vector>

namespace quadrille::rerun {

/// In what a varied run ended otherwise than another of the same program: events it recorded, the last one of each
/// stream, what is held, what waits for ever. Times do not count, nor does anything of the types in `tolerated`
/// (without package). Empty when both ended the same.
[[nodiscard]] std::vector<std::string> divergence(const casefile::v1::Report& undisturbed,
                                                  const casefile::v1::Report& disturbed,
                                                  const std::set<std::string>& tolerated);

}  // namespace quadrille::rerun
