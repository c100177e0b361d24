#include "checker/rules.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace quadrille::checker {
namespace {

void tell(const Context& context, const contract::Location& location, const std::string& about, std::string message,
          std::string hint) {
  context.findings.push_back(
      {"QDR178", Severity::warning, location, std::move(message), std::move(hint), {}, {about}, ""});
}

/// `Reserved`, but not `Feed`.
bool past_tense(const std::string& name) {
  static constexpr std::array<std::string_view, 11> imperatives{
      "Feed", "Need", "Seed", "Speed", "Proceed", "Exceed", "Embed", "Succeed", "Shed", "Bleed", "Wed"};
  return name.ends_with("ed") && std::ranges::none_of(imperatives, [&](auto word) { return name.ends_with(word); });
}

/// QDR178: what a reader at night misses.
void names(const Context& context, const contract::Participant& participant) {
  for (const auto& step : participant.steps) {
    if (past_tense(step.name))
      tell(context, step.location, step.full_name(),
           step.full_name() + " is named in the past tense: a step is something to do, an event something done",
           "name it by a verb, such as Reserve");
    for (const auto emitted : context.graph.next(context.graph.step_node(step)))
      if (const auto* event = context.graph.is_step(emitted) ? nullptr : &context.graph.event(emitted);
          event != nullptr && event->short_name == step.name)
        tell(context, event->location, event->name,
             event->name + " is named like the step that emits it: an event is a fact in the past tense",
             "name it by what has happened, such as StockReserved");
  }
}

}  // namespace

void check_care(const Context& context) {
  for (const auto& participant : context.graph.model().participants) {
    if (participant.owner.empty())
      tell(context, participant.location, participant.name + "/owner", participant.name + " has no owner",
           "say in its participant option which team answers for it: owner: \"...\"");
    // Linked descriptors carry neither comments nor lines.
    if (participant.description.empty() && participant.location.line > 0)
      tell(context, participant.location, participant.name + "/description", participant.name + " is not described",
           "write above its service, or at the top of its file, what it is for");
    names(context, participant);
  }
}

}  // namespace quadrille::checker
