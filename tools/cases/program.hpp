#pragma once

#include "quadrille/casefile/v1/case.pb.h"
#include "quadrille/casefile/v1/report.pb.h"

#include <string>
#include <vector>

namespace quadrille::cases {

/// A participant's program, which runs its steps over cases (`PROGRAM case run`).
struct Program {
  std::string participant;
  std::string path;
  std::vector<std::string> timeouts;  ///< STEP=TIME, where the recorded system had others than its contract
  std::vector<std::string> options;   ///< further ones of `PROGRAM case run`

  /// `payment=build/dev/bin/shop-payment`. Throws std::runtime_error for something else.
  static Program parse(const std::string& text);
};

/// Hands the cases to the program, all in one go; a report each, in their order. Throws std::runtime_error with what
/// the program says when it does not answer for all of them.
[[nodiscard]] std::vector<casefile::v1::Report> run(const Program& program,
                                                    const std::vector<casefile::v1::Case>& cases);

}  // namespace quadrille::cases
