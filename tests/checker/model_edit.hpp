#pragma once

#include "contract/model.hpp"
#include "estate/estate.hpp"

#include <algorithm>
#include <string>

/// Edits of a model that keep it whole.
namespace quadrille::mutation {

inline contract::Participant& participant(contract::Model& model, const std::string& step) {
  return *std::ranges::find(model.participants, step.substr(0, step.find('.')), &contract::Participant::name);
}

/// By `participant.Step`.
inline contract::Step& step(contract::Model& model, const std::string& name) {
  auto& owner = participant(model, name);
  return *std::ranges::find(owner.steps, name.substr(name.find('.') + 1), &contract::Step::name);
}

/// What a step says first, its success.
inline contract::EventType& said(contract::Model& model, const std::string& name) {
  return model.events.at(step(model, name).outcomes.front().events.front());
}

/// A new event of the participant that owns `like`.
inline std::string add_event(contract::Model& model, const contract::EventType& like, const std::string& name) {
  auto event = like;
  event.short_name = name;
  event.name = like.name.substr(0, like.name.rfind('.') + 1) + name;
  event.roles.clear();
  event.failure = event.is_public = false;
  model.events[event.name] = event;
  return event.name;
}

inline void hear(contract::Step& step, const std::string& event) {
  if (step.start == contract::Start::event) step.start = contract::Start::any_of;
  step.triggers.push_back(event);
  step.trigger_fields.push_back("extra");
}

/// Said in any case, beside what it says already.
inline void also_say(contract::Step& step, const std::string& event) {
  step.outcomes.push_back({false, false, {"extra"}, {event}});
}

/// Said instead of what it says otherwise.
inline void may_say(contract::Step& step, const std::string& event) {
  step.outcomes.front().exclusive = true;
  step.outcomes.front().fields.emplace_back("other");
  step.outcomes.front().events.push_back(event);
}

/// A step of the participant of `beside` that hears `events` and says `says`, or nothing.
inline contract::Step& add_step(contract::Model& model, const std::string& beside, const std::string& name,
                                v1::StepKind kind, const std::vector<std::string>& events,
                                const std::string& says = "") {
  auto& owner = participant(model, beside);
  contract::Step added;
  added.name = name;
  added.participant = owner.name;
  added.service = owner.service;
  added.kind = kind;
  added.start = events.size() > 1 ? contract::Start::any_of : contract::Start::event;
  added.triggers = events;
  added.trigger_fields.assign(events.size(), "");
  added.null_safe = kind == v1::COMPENSATION;
  added.location = owner.location;
  if (says.empty())
    added.outcomes.push_back({true, true, {}, {}});
  else
    added.outcomes.push_back({false, false, {"says"}, {says}});
  owner.steps.push_back(added);
  return owner.steps.back();
}

/// A participant outside the framework that listens to one event through a consumer of its own.
inline contract::Participant& add_outsider(contract::Model& model, const std::string& event) {
  contract::Participant outsider;
  outsider.name = "zz_outsider";
  outsider.owner = outsider.description = "somebody";
  outsider.external = true;
  outsider.service = "zz.Steps";
  outsider.location = {"zz.proto", 1, 1};
  outsider.consumers.push_back({"listener", "EVT", {model.events.at(event).subject_pattern()}, 0, {}, false});
  model.participants.push_back(outsider);
  add_step(model, "zz_outsider.", "Look", v1::OBSERVER, {event});
  return model.participants.back();
}

}  // namespace quadrille::mutation
