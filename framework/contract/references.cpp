#include "contract/references.hpp"

#include <algorithm>
#include <utility>

namespace quadrille::contract {
namespace {

bool has_outcome_field(const Step& step, const std::string& name) {
  return std::ranges::any_of(
      step.outcomes, [&](const auto& group) { return std::ranges::find(group.fields, name) != group.fields.end(); });
}

}  // namespace

std::vector<Fault> unresolved(const Participant& participant) {
  std::vector<Fault> faults;
  const auto fault = [&](const Location& location, std::string what, std::string repair) {
    faults.push_back({location, std::move(what), std::move(repair)});
  };
  const auto must_exist = [&](const Step& step, const std::string& name, const char* option) {
    if (!name.empty() && participant.find_step(name) == nullptr)
      fault(
          step.location,
          "step " + step.name + ": " + option + " names '" + name + "', which is not a step of " + participant.service,
          "name an rpc of the same service");
  };
  for (const auto& step : participant.steps) {
    must_exist(step, step.compensated_by, "compensated_by");
    for (const auto& settled : step.settles) must_exist(step, settled, "settles");
    if (step.timeout) must_exist(step, step.timeout->armed_by, "timeout.armed_by");
    if (step.timeout && (step.timeout->armed_by.empty() || step.timeout->after.count() <= 0))
      fault(step.location, "step " + step.name + " has a timeout without armed_by or with no time",
            "say timeout: { armed_by: \"...\", after: { seconds: ... } }");
    if (step.bound && !step.bound->loop.empty() && (step.bound->max == 0 || step.bound->exit.empty()))
      fault(step.location, "step " + step.name + " bounds loop " + step.bound->loop + " without max or exit",
            "say bound: { loop: \"...\", max: 3, exit: \"...\" }, exit being the field of its outcome that leaves "
            "the loop");
    if (step.bound && !step.bound->exit.empty() && !has_outcome_field(step, step.bound->exit))
      fault(step.location,
            "step " + step.name + ": bound.exit names '" + step.bound->exit + "', which is not a field of its outcome",
            "name a field of " + step.output);
  }
  return faults;
}

}  // namespace quadrille::contract
