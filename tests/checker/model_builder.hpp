#pragma once

#include "contract/model.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace quadrille::checker {

/// Models without .proto files, for shapes and sizes nobody would write by hand.
class ModelBuilder {
 public:
  explicit ModelBuilder(const std::string& participant) {
    model.participants.push_back({});
    model.participants.back().name = participant;
    model.participants.back().service = participant + ".Steps";
  }

  ModelBuilder& event(const std::string& name) {
    contract::EventType type;
    type.name = type.short_name = name;
    type.context = type.aggregate = model.participants.back().name;
    type.key_field = "id";
    model.events[name] = type;
    return *this;
  }
  ModelBuilder& step(const std::string& name, const std::vector<std::string>& triggers,
                     const std::vector<std::string>& emits) {
    auto& participant = model.participants.back();
    contract::Step step;
    step.name = name;
    step.participant = participant.name;
    step.service = participant.service;
    step.kind = v1::QUERY;
    step.start = contract::Start::any_of;
    for (const auto& trigger : triggers) event(trigger);
    for (const auto& emitted : emits) event(emitted);
    step.triggers = triggers;
    step.trigger_fields.assign(triggers.size(), "f");
    step.outcomes.push_back({true, false, emits, emits});
    participant.steps.push_back(std::move(step));
    return *this;
  }
  ModelBuilder& bound(const std::string& loop, const std::vector<std::string>& resets = {}) {
    model.participants.back().steps.back().bound = contract::Bound{loop, 3, "", resets};
    return *this;
  }
  ModelBuilder& resets(const std::string& loop) {
    model.participants.back().steps.back().bound = contract::Bound{"", 0, "", {loop}};
    return *this;
  }

  contract::Model model;
};

}  // namespace quadrille::checker
