#include "tracker/supervision.hpp"

#include "core/timestamp.hpp"
#include "quadrille/v1/supervision_events.pb.h"

#include <algorithm>
#include <map>

namespace quadrille::tracker {
namespace {

ReasonClass to_class(v1::ReasonClass from) {
  return v1::ReasonClass_IsValid(from) && from != v1::REASON_CLASS_UNSPECIFIED ? static_cast<ReasonClass>(from)
                                                                               : ReasonClass::technical;
}

std::string full_step(const std::string& participant, const std::string& step) {
  return step.empty() ? participant : participant + "." + step;
}

std::optional<StuckReason> stuck_by(const Event& event) {
  v1::StepStuck said;
  if (!said.ParseFromString(event.payload)) return std::nullopt;
  StuckReason reason;
  reason.participant = said.participant();
  reason.message_id = said.message_id();
  if (said.event_type() == v1::Timer::descriptor()->full_name()) reason.timer = said.step();
  reason.step = full_step(said.participant(), said.step());
  reason.reason_class = to_class(said.reason_class());
  reason.error = said.last_error();
  reason.attempts = said.attempts();
  reason.parked = said.parked();
  reason.since = said.has_first_failed_at() ? to_time(said.first_failed_at()) : event.recorded_at;
  return reason;
}

/// What was said of one message, by version of its stream.
using Words = std::map<std::uint64_t, const Event*>;

/// A person gave the message up. That ends the wait of what stood behind it, not that of its saga.
bool is_discard(const Event& event, std::string& because) {
  v1::StepResumed said;
  if (event.type != said.GetTypeName() || !said.ParseFromString(event.payload) ||
      said.how() != v1::StepResumed::DISCARDED)
    return false;
  because = said.because();
  return true;
}

/// The last word counts. A retry begins a new count of attempts: all since it was first stuck belong together.
std::optional<StuckReason> stuck_after(const Words& words) {
  std::optional<StuckReason> reason;
  for (const auto& [version, event] : words) {
    if (std::string because; reason && is_discard(*event, because)) {
      reason->discarded = true;
      reason->parked = false;
      reason->message_id.clear();
      reason->error = "its message was discarded: " + because;
      continue;
    }
    auto again = event->type == v1::StepStuck::descriptor()->full_name() ? stuck_by(*event) : std::nullopt;
    if (again && reason) {
      again->attempts += reason->attempts;
      again->since = std::min(again->since, reason->since);
    }
    reason = std::move(again);
  }
  return reason;
}

std::optional<Act> act_by(const Event& event) {
  v1::ActTaken said;
  if (!said.ParseFromString(event.payload)) return std::nullopt;
  return Act{.at = event.recorded_at,
             .who = said.who(),
             .act = said.act(),
             .why = said.why(),
             .participant = said.participant(),
             .message_id = said.message_id()};
}

}  // namespace

Supervision supervision_of(const std::vector<Event>& events) {
  Supervision found;
  std::map<StreamName, Words> words;
  for (const auto& event : events) {
    if (!is_supervision(event)) continue;
    if (event.type == v1::StepStuck::descriptor()->full_name() ||
        event.type == v1::StepResumed::descriptor()->full_name())
      words[event.stream].try_emplace(event.version, &event);
    if (event.type == v1::ActTaken::descriptor()->full_name())
      if (auto act = act_by(event)) found.acts.push_back(std::move(*act));
  }
  for (const auto& [stream, said] : words)
    if (auto reason = stuck_after(said)) found.stuck.push_back(std::move(*reason));
  std::ranges::stable_sort(found.stuck, {}, &StuckReason::since);
  std::ranges::stable_sort(found.acts, {}, &Act::at);
  return found;
}

}  // namespace quadrille::tracker
