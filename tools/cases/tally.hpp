#pragma once

#include "quadrille/casefile/v1/report.pb.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::cases {

/// What a program of today does with many recorded sagas. Memory does not grow with them.
class Tally {
 public:
  /// `most`: so many of the sagas that differ are kept to be told in full.
  Tally(std::string participant, std::size_t most) : participant_(std::move(participant)), most_(most) {}

  void add(const casefile::v1::Report& report);

  [[nodiscard]] bool has_findings() const { return differ_ > 0; }
  [[nodiscard]] std::size_t sagas() const { return sagas_; }
  /// Some could not be run at all.
  [[nodiscard]] bool is_partial() const { return could_not_ > 0; }
  /// Counts, which outcomes change how often, and the first sagas that differ in full.
  [[nodiscard]] std::string as_text() const;
  [[nodiscard]] std::string as_json() const;

 private:
  struct Change {
    std::size_t sagas = 0;
    std::string first;  ///< saga
  };
  const std::string participant_;
  const std::size_t most_;
  std::size_t sagas_ = 0;
  std::size_t differ_ = 0;
  std::size_t could_not_ = 0;
  std::map<casefile::v1::Verdict, std::size_t> runs_;
  std::map<std::string, Change> changes_;
  std::map<std::string, Change> reasons_;  ///< why not
  std::vector<casefile::v1::Report> differing_;
};

}  // namespace quadrille::cases
