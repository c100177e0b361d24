#include "coverage/branches.hpp"

#include "core/short_name.hpp"

namespace quadrille::coverage {
namespace {

bool is_failure(const contract::Model& model, const std::string& event) {
  const auto type = model.events.find(event);
  return type != model.events.end() && type->second.failure;
}

Kind kind_of(const contract::Model& model, const contract::Step& step, const std::string& event) {
  if (step.kind == v1::COMPENSATION) return Kind::compensation;
  if (step.start == contract::Start::timer) return Kind::timeout;
  return is_failure(model, event) ? Kind::failure : Kind::success;
}

bool may_say_nothing(const contract::Step& step) {
  for (const auto& group : step.outcomes)
    if (group.may_be_nothing) return true;
  return false;
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::success:
      return "success";
    case Kind::failure:
      return "failure";
    case Kind::timeout:
      return "timeout";
    case Kind::compensation:
      return "compensation";
  }
  return "?";
}

std::vector<Branch> branches_of(const contract::Model& model) {
  std::vector<Branch> branches;
  for (const auto& participant : model.participants) {
    if (participant.external) continue;
    for (const auto& step : participant.steps) {
      const auto add = [&](const std::string& trigger, const std::string& said) {
        branches.push_back(
            {participant.name, step.name, trigger, said, kind_of(model, step, said.empty() ? trigger : said)});
      };
      if (step.start == contract::Start::any_of)
        for (const auto& trigger : step.triggers) add(trigger, "");
      for (const auto& event : step.emits()) add("", event);
      if (may_say_nothing(step)) add("", std::string(nothing));
    }
  }
  return branches;
}

std::string text_of(const Branch& branch) {
  return branch.participant + "." + branch.step +
         (branch.said.empty() ? " on " + short_name(branch.trigger) : " says " + short_name(branch.said));
}

}  // namespace quadrille::coverage
