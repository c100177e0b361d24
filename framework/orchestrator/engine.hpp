#pragma once

#include "contract/model.hpp"
#include "core/clock.hpp"
#include "quadrille/v1/orchestration.pb.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What an orchestrated saga does next: a pure function of its plan, where it stands, what it hears and the time.
namespace quadrille::orchestrator {

struct PlannedStep {
  std::string name;
  std::string undo;       ///< rpc of its compensation; empty where nothing has to be undone
  std::size_t group = 0;  ///< steps of one group run beside each other
  std::chrono::milliseconds timeout{0};
  std::chrono::milliseconds patience{0};
  std::chrono::milliseconds undo_timeout{0};
  std::chrono::milliseconds undo_patience{0};
};

struct Plan {
  std::vector<PlannedStep> steps;  ///< in their order, without compensations
  std::size_t pivot = 0;           ///< its group

  [[nodiscard]] const PlannedStep* find(std::string_view step) const;
  /// A no or a time-out of it leads back.
  [[nodiscard]] bool may_go_back(const PlannedStep& step) const { return step.group < pivot; }
};
/// Of a saga that breaks no law (contract/orchestration.hpp).
[[nodiscard]] Plan plan_of(const contract::Orchestration& saga);

struct Heard {
  v1::SagaMove::Cause cause = v1::SagaMove::CAUSE_UNSPECIFIED;
  std::string rpc;  ///< of OK, NO and UNDONE: whose reply it is
};

struct Command {
  std::string step;
  std::string rpc;  ///< the step itself, or its compensation
  bool backward = false;
};

struct Transition {
  v1::SagaMove move;
  std::vector<Command> commands;
  std::optional<TimePoint> look_at;  ///< when the clock has to ask again, at the latest; empty: never
};

/// At most one transition; nothing where what is heard changes nothing: it is late, repeated, or of another step or
/// direction. Of time-outs that are due the first one alone is taken, and look_at is then now.
[[nodiscard]] std::optional<Transition> advance(const Plan& plan, const v1::SagaProgress& progress, const Heard& heard,
                                                TimePoint now);

/// `{saga}:{step}:{forward|backward}`: the same for each repetition of a command.
[[nodiscard]] std::string command_key(const std::string& saga_id, const Command& command);

}  // namespace quadrille::orchestrator
