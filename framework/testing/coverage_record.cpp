#include "testing/coverage_record.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace quadrille::testing {
namespace {

std::string named_file() {
  const char* name = std::getenv("QUADRILLE_COVERAGE");
  return name == nullptr ? "" : name;
}

}  // namespace

CoverageRecord& CoverageRecord::of_this_process() {
  static CoverageRecord record;
  return record;
}

CoverageRecord::CoverageRecord() : file_(named_file()) {}

CoverageRecord::~CoverageRecord() {
  if (file_.empty() || taken_.empty()) return;
  std::ostringstream lines;
  for (const auto& [branch, times] : taken_) {
    const auto& [participant, step, trigger, said] = branch;
    lines << participant << '\t' << step << '\t' << trigger << '\t' << said << '\t' << times << '\n';
  }
  std::ofstream file(file_, std::ios::app);
  const auto text = lines.str();
  file.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
  if (!file) std::cerr << "QUADRILLE_COVERAGE: cannot write " << file_ << "\n";
}

void CoverageRecord::add(const StepRun& run) {
  if (file_.empty() || run.again) return;  // a repetition is no way of its own
  const std::scoped_lock lock(mutex_);
  if (run.said.empty()) ++taken_[{run.participant, run.step, run.trigger, "nothing"}];
  for (const auto& event : run.said) ++taken_[{run.participant, run.step, run.trigger, event}];
}

}  // namespace quadrille::testing
