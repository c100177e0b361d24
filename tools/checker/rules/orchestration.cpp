#include "contract/orchestration.hpp"

#include "checker/rules.hpp"

#include <algorithm>

namespace quadrille::checker {
namespace {

void add(const Context& context, const std::string& code, const contract::Location& place, std::string what,
         std::string repair, const std::string& participant, const std::string& step) {
  context.findings.push_back({code,
                              Severity::error,
                              place,
                              participant + ": " + what,
                              std::move(repair),
                              {},
                              {participant + (step.empty() ? "" : "." + step)},
                              ""});
}

/// QDR135, QDR136, QDR137, QDR138
void laws(const Context& context, const contract::Participant& conductor) {
  for (const auto& law : contract::broken_laws(*conductor.orchestration, conductor.location))
    add(context, law.code, law.location, law.what, law.repair, conductor.name, law.step);
}

/// QDR139: the participant takes the command, for what the saga takes it, and with the answers that it waits for.
void answered_otherwise(const Context& context, const contract::Participant& conductor,
                        const contract::OrchestratedStep& step) {
  const auto* commanded = context.graph.model().find_participant(step.participant);
  if (commanded == nullptr)
    return add(context, "QDR139", step.location,
               step.name + " commands " + step.participant + ", and there is no participant of that name",
               "name in command_to the participant that takes " + step.command, conductor.name, step.name);
  const auto taker = std::ranges::find_if(commanded->steps, [&](const contract::Step& other) {
    return std::ranges::find(other.triggers, step.command) != other.triggers.end();
  });
  if (taker == commanded->steps.end())
    return add(context, "QDR139", step.location,
               step.participant + " is commanded by " + step.name + " and has no step that takes " + step.command,
               "add one to " + commanded->service, conductor.name, step.name);
  if (taker->kind != step.kind)
    return add(context, "QDR139", step.location,
               step.name + " is " + v1::StepKind_Name(step.kind) + " here and " + v1::StepKind_Name(taker->kind) +
                   " at " + taker->full_name(),
               "let both say the same: what is done about a no depends on it", conductor.name, step.name);
  const auto said = taker->emits();
  for (const auto& replies : {step.ok, step.no})
    for (const auto& reply : replies)
      if (std::ranges::find(said, reply) == said.end())
        add(context, "QDR139", step.location,
            step.name + " waits for " + reply + ", which " + taker->full_name() + " never says",
            "let the rpc return what the step of " + step.participant + " returns", conductor.name, step.name);
}

}  // namespace

void check_orchestration(const Context& context) {
  for (const auto& participant : context.graph.model().participants) {
    if (!participant.orchestration) continue;
    laws(context, participant);
    for (const auto& step : participant.orchestration->steps) answered_otherwise(context, participant, step);
  }
}

}  // namespace quadrille::checker
