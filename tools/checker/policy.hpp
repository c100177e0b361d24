#pragma once

#include "checker/finding.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace quadrille::checker {

/// What a team has decided about findings (quadrille/policy/v1/policy.proto): severities of its own, and waivers with a
/// reason, an owner and a last day.
class Policy {
 public:
  Policy();
  /// Throws std::runtime_error that names file, line and repair when the file cannot be used: an unknown code, a
  /// waiver without reason, owner or date.
  explicit Policy(const std::filesystem::path& file);
  ~Policy();
  Policy(Policy&&) noexcept;
  Policy& operator=(Policy&&) noexcept;

  /// Sets severities (off removes), marks what is waived as suppressed, and adds QDR001 for waivers that have expired
  /// by `today` and QDR002 for those that suppress nothing.
  void apply(std::vector<Finding>& findings, std::chrono::year_month_day today) const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

/// Findings that are known: a legacy estate fails on new ones only.
class Baseline {
 public:
  Baseline() = default;
  /// Throws std::runtime_error where the file is none of ours.
  explicit Baseline(const std::filesystem::path& file);

  /// Marks what it knows as suppressed.
  void apply(std::vector<Finding>& findings) const;
  /// The file's content for these findings; those already suppressed by a waiver are left out.
  [[nodiscard]] static std::string write(const std::vector<Finding>& findings);

 private:
  std::set<std::string> known_;
};

}  // namespace quadrille::checker
