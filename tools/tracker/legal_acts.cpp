#include "tracker/legal_acts.hpp"

#include <algorithm>

namespace quadrille::tracker {
namespace {

/// The node of a step by its full name; -1 where the saga has none.
Graph::Node step_called(const Choreography& choreography, const checker::SagaView& saga, const std::string& name) {
  for (const auto node : saga.nodes)
    if (choreography.graph.is_step(node) && choreography.graph.full_name(node) == name) return node;
  return -1;
}

/// The step asks the pivot's owner to give up: what it says leads to a step that settles the pivot's question, or
/// straight to the saga's undone end, without the pivot itself.
bool asks_to_give_up(const Choreography& choreography, const checker::SagaView& saga, Graph::Node step) {
  const auto& graph = choreography.graph;
  const auto is_pivot = [&](Graph::Node node) { return graph.is_step(node) && graph.step(node).kind == v1::PIVOT; };
  const auto gives_up = [&](Graph::Node node) {
    if (!graph.is_step(node)) return std::ranges::find(saga.undone, node) != saga.undone.end();
    return std::ranges::any_of(saga.nodes, [&](Graph::Node other) {
      return is_pivot(other) && traffic::settle_one_question(graph.step(node), graph.step(other));
    });
  };
  return !graph.path({step}, gives_up, [&](Graph::Node node) { return is_pivot(node) || !saga.nodes.contains(node); })
              .empty();
}

void add_cancel(const Standing& standing, const Choreography* choreography, std::vector<LegalAct>& acts) {
  LegalAct refused{"cancel", "", "", "", false, ""};
  const int saga = choreography == nullptr ? -1 : choreography->declared.saga_of(standing.saga);
  if (saga < 0)
    refused.reason = "no contract known to the tracker says what kind of saga it is";
  else if (is_over(standing.state))
    refused.reason = "the saga is over";
  else if (standing.pivot == Pivot::passed)
    refused.reason = "its pivot has decided: from here it only goes forward";
  else if (standing.pivot == Pivot::refused || standing.undoing)
    refused.reason = "it is being undone already";
  else
    refused.reason = "no timer that asks the pivot's owner to give up is armed in it";
  if (saga >= 0 && !is_over(standing.state) && standing.pivot == Pivot::open && !standing.undoing) {
    const auto& view = choreography->sagas[static_cast<std::size_t>(saga)];
    for (const auto& timer : standing.timers) {
      const auto node = step_called(*choreography, view, timer.step);
      if (node < 0 || !asks_to_give_up(*choreography, view, node)) continue;
      acts.push_back({"cancel", choreography->graph.step(node).participant, "", choreography->graph.step(node).name,
                      true, "runs " + timer.step + " now: it asks the pivot's owner to give up, who may still refuse"});
      return;
    }
  }
  acts.push_back(std::move(refused));
}

void add_resolve(const Standing& standing, std::vector<LegalAct>& acts) {
  LegalAct act{"resolve", "", "", "", false, ""};
  const auto message =
      std::ranges::find_if(standing.stuck, [](const auto& reason) { return !reason.message_id.empty(); });
  if (standing.state != State::stuck)
    act.reason = "it is " + std::string(name_of(standing.state)) + ", not STUCK";
  else if (message != standing.stuck.end())
    act.reason = "a message waits at " + message->participant + ": retry or discard that first";
  else
    act = {"resolve", "", "", "", true, "records how it ended outside; nothing else happens"};
  acts.push_back(std::move(act));
}

/// Of a timer step, or of a compensation that an orchestrated saga commands again and again.
LegalAct retry_without_message(const StuckReason& reason) {
  if (!reason.timer.empty())
    return {"retry", reason.participant, "", reason.timer, true, "runs timer step " + reason.step + " again now"};
  std::string why = reason.step + " is tried on by itself, at most an hour apart; no message waits";
  if (reason.participant.empty()) why = "no message of it waits to be tried again";
  if (reason.discarded) why = reason.step + " will not run: its message was discarded";
  return {"retry", "", "", "", false, why};
}

}  // namespace

std::vector<LegalAct> legal_acts(const Standing& standing, const Choreography* choreography) {
  std::vector<LegalAct> acts;
  for (const auto& reason : standing.stuck) {
    if (reason.message_id.empty()) {
      acts.push_back(retry_without_message(reason));
      continue;
    }
    acts.push_back({"retry", reason.participant, reason.message_id, "", true,
                    "tries " + reason.step + " again now; what waits behind it goes on in order"});
    if (reason.parked)
      acts.push_back({"discard", reason.participant, reason.message_id, "", true,
                      reason.step + " never runs for this message; what waits behind it goes on"});
  }
  if (standing.stuck.empty()) acts.push_back({"retry", "", "", "", false, "nothing of it is parked"});
  add_cancel(standing, choreography, acts);
  add_resolve(standing, acts);
  return acts;
}

}  // namespace quadrille::tracker
