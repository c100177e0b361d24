#pragma once

#include "quadrille/casefile/v1/report.pb.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace quadrille::cases {

/// What a program of today does with many recorded sagas.
class Tally {
 public:
  void add(const casefile::v1::Report& report);

  [[nodiscard]] bool has_findings() const { return !differing_.empty(); }
  /// Some could not be run at all.
  [[nodiscard]] bool is_partial() const { return could_not_ > 0; }
  /// Counts, which outcomes change how often, and the first `most` sagas that differ in full.
  [[nodiscard]] std::string as_text(std::size_t most) const;
  [[nodiscard]] std::string as_json(std::size_t most) const;

 private:
  struct Change {
    std::size_t sagas = 0;
    std::string first;  ///< saga
  };
  std::size_t sagas_ = 0;
  std::size_t could_not_ = 0;
  std::map<casefile::v1::Verdict, std::size_t> runs_;
  std::map<std::string, Change> changes_;
  std::map<std::string, Change> reasons_;  ///< why not
  std::vector<casefile::v1::Report> differing_;
};

}  // namespace quadrille::cases
