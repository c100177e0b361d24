#include "simulation/verdict.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>
#include <tuple>

namespace simulation {
namespace {

using namespace quadrille;
using quadrille::testing::SagaState;

std::vector<Event> recorded_by(const Judged& judged, History& history) {
  std::vector<Event> events;
  std::map<StreamName, std::uint64_t> versions;
  for (auto& [position, event] : judged.store.begin()->events().read_all({}, std::numeric_limits<std::size_t>::max())) {
    if (event.version != ++versions[event.stream])
      history.find(event.stream.text() + " has a gap before version " + std::to_string(event.version));
    events.push_back(std::move(event));
  }
  return events;
}

void judge_publication(const Judged& judged, const std::vector<Event>& events, const std::set<std::string>& published,
                       History& history) {
  if (judged.store.unpublished() != 0) history.find(judged.part.name() + " has something left in its outbox");
  for (const auto& event : events)
    if (!published.contains(event.id)) history.find(event.type + " of " + event.stream.text() + " was never published");
}

/// Everything that is for it was handled, or waits for a person.
void judge_hearing(const Judged& judged, const std::vector<Event>& all, History& history) {
  const auto transaction = judged.store.begin();
  const auto& hears = judged.part.declared().hears;
  for (const auto& event : all)
    if (std::ranges::find(hears, event.stream.category == "supervision" ? event.stream.category : event.source) !=
            hears.end() &&
        !judged.ledger.handled(event) && !transaction->inbox().find_waiting(judged.part.name(), event.id))
      history.find(judged.part.name() + " never heard " + event.type + " of " + event.stream.text());
}

bool emitted_by(const contract::Step& step, const std::string& type) {
  return std::ranges::any_of(step.emits(), [&](const auto& emitted) { return emitted == type; });
}

/// Whether an event can only have come from a step of this kind.
bool of_kind(const std::vector<Judged>& all, const Event& event, v1::StepKind kind) {
  for (const auto& judged : all) {
    if (judged.part.name() != event.source) continue;
    const auto& steps = judged.part.declared().steps;
    return std::ranges::any_of(steps,
                               [&](const auto& step) { return step.kind == kind && emitted_by(step, event.type); }) &&
           std::ranges::none_of(steps,
                                [&](const auto& step) { return step.kind != kind && emitted_by(step, event.type); });
  }
  return false;
}

void judge_pivot(const std::vector<Judged>& all, const std::string& saga, const std::vector<Event>& events,
                 History& history) {
  const bool past = std::ranges::any_of(events, [&](const auto& event) { return of_kind(all, event, v1::PIVOT); });
  if (!past) return;
  for (const auto& event : events)
    if (of_kind(all, event, v1::COMPENSATION))
      history.find("saga " + saga + " is past its pivot, and " + event.source + " said " + event.type);
}

}  // namespace

std::map<SagaState, std::size_t> judge_end(const std::vector<Judged>& all, const memory::MemoryBroker& broker,
                                           History& history) {
  std::set<std::string> published;
  for (const auto& message : broker.messages()) published.insert(message.headers.at("Nats-Msg-Id"));
  std::vector<Event> events;
  std::vector<const runtime::Part*> parts;
  for (const auto& judged : all) {
    auto own = recorded_by(judged, history);
    judge_publication(judged, own, published, history);
    events.insert(events.end(), own.begin(), own.end());
    parts.push_back(&judged.part);
  }
  for (const auto& judged : all) judge_hearing(judged, events, history);
  std::ranges::stable_sort(events, {}, [](const Event& event) { return std::tuple(event.recorded_at, event.hops); });
  std::map<std::string, std::vector<Event>> sagas;
  for (const auto& event : events) sagas[event.saga_id].push_back(event);
  std::map<SagaState, std::size_t> states;
  for (const auto& [saga, of_saga] : sagas) {
    const auto state = quadrille::testing::saga_state(of_saga, history.said[saga], parts);
    ++states[state];
    judge_pivot(all, saga, of_saga, history);
    if (state == SagaState::completed || state == SagaState::cancelled || state == SagaState::stuck) continue;
    std::ostringstream text;
    text << "saga " << saga << " never ends: it is " << state;
    history.find(text.str());
  }
  if (states[SagaState::stuck] == 0)
    for (const auto& judged : all)
      if (judged.ledger.books.anything_held()) history.find(judged.part.name() + " holds what nobody wants any more");
  return states;
}

}  // namespace simulation
