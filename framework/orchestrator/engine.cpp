#include "orchestrator/engine.hpp"

#include "core/backoff.hpp"
#include "core/timestamp.hpp"

#include <algorithm>

namespace quadrille::orchestrator {
namespace {

using std::chrono::milliseconds;
using v1::SagaMove;
using v1::SagaProgress;
using Entry = SagaProgress::Step;

constexpr milliseconds first_pause_after_no{1000};

/// Between two repetitions of a command, without jitter: a transition depends on nothing but its arguments.
milliseconds pause_before_repetition(milliseconds first, std::uint32_t attempts) {
  return Backoff{.first = first}.delay(attempts, 1.0);
}

/// One transition under way. Each reaction says whether it changed anything.
class Advance {
 public:
  Advance(const Plan& plan, const SagaProgress& before, TimePoint now) : plan_(plan), now_(now) { after() = before; }

  bool hear(const Heard& heard) {
    transition_.move.set_cause(heard.cause);
    switch (heard.cause) {
      case SagaMove::STARTED:
        return start();
      case SagaMove::OK:
        return ok(heard.rpc);
      case SagaMove::NO:
        return no(heard.rpc);
      case SagaMove::UNDONE:
        return undone(heard.rpc);
      case SagaMove::TIME:
        return time();
      case SagaMove::PERSON:
        return person();
      default:
        return false;
    }
  }

  Transition finish() {
    for (const auto& entry : after().step())
      if (entry.has_look_at())
        transition_.look_at = std::min(transition_.look_at.value_or(TimePoint::max()), to_time(entry.look_at()));
    return std::move(transition_);
  }

 private:
  SagaProgress& after() { return *transition_.move.mutable_progress(); }

  Entry* entry_of(const std::string& step, Entry::Status status) {
    for (auto& entry : *after().mutable_step())
      if (entry.name() == step && entry.status() == status) return &entry;
    return nullptr;
  }
  bool any(Entry::Status status) {
    return std::ranges::any_of(after().step(), [&](const Entry& entry) { return entry.status() == status; });
  }

  bool start() {
    if (after().state() != SagaProgress::STATE_UNSPECIFIED) return false;
    after().set_state(SagaProgress::RUNNING);
    command_group(0);
    return true;
  }

  bool ok(const std::string& step) {
    auto* entry = entry_of(step, Entry::COMMANDED);
    if (entry == nullptr) return false;
    transition_.move.set_step(step);
    settle(*entry, Entry::DONE);
    if (after().state() == SagaProgress::COMPENSATING) {
      go_back();
      return true;
    }
    const bool waits = std::ranges::any_of(after().step(), [](const Entry& other) { return other.overdue(); });
    after().set_state(waits ? SagaProgress::STUCK : SagaProgress::RUNNING);
    if (!any(Entry::COMMANDED)) command_group(plan_.find(step)->group + 1);
    return true;
  }

  bool no(const std::string& step) {
    auto* entry = entry_of(step, Entry::COMMANDED);
    if (entry == nullptr || entry->overdue()) return false;
    transition_.move.set_step(step);
    if (plan_.may_go_back(*plan_.find(step))) {
      settle(*entry, Entry::REFUSED);
      go_back();
    } else {
      *entry->mutable_look_at() = to_timestamp(now_ + pause_before_repetition(first_pause_after_no, entry->attempts()));
    }
    return true;
  }

  bool undone(const std::string& rpc) {
    for (auto& entry : *after().mutable_step())
      if (entry.status() == Entry::UNDOING && plan_.find(entry.name())->undo == rpc) {
        transition_.move.set_step(entry.name());
        settle(entry, Entry::UNDONE);
        go_back();
        return true;
      }
    return false;
  }

  bool time() {
    for (auto& entry : *after().mutable_step()) {
      if (!entry.has_look_at() || to_time(entry.look_at()) > now_) continue;
      transition_.move.set_step(entry.name());
      const auto& planned = *plan_.find(entry.name());
      if (entry.status() == Entry::UNDOING) {
        undo_late(entry, planned);
      } else if (plan_.may_go_back(planned)) {
        settle(entry, Entry::TIMED_OUT);
        go_back();
      } else if (now_ - to_time(entry.commanded_at()) >= planned.patience) {
        entry.set_overdue(true);
        entry.clear_look_at();
        after().set_state(SagaProgress::STUCK);
        transition_.move.set_stuck(entry.name());
      } else {
        send(entry, planned);
      }
      return true;
    }
    return false;
  }

  /// A compensation is repeated until it succeeds; that it takes long is said once.
  void undo_late(Entry& entry, const PlannedStep& planned) {
    if (!entry.overdue() && now_ - to_time(entry.commanded_at()) >= planned.undo_patience) {
      entry.set_overdue(true);
      transition_.move.set_stuck(entry.name());
    }
    send(entry, planned);
  }

  bool person() {
    if (after().state() != SagaProgress::STUCK) return false;
    for (auto& entry : *after().mutable_step()) {
      if (entry.status() != Entry::COMMANDED || !entry.overdue()) continue;
      transition_.move.set_step(entry.name());
      transition_.move.set_resumed(entry.name());
      entry.set_overdue(false);
      entry.set_attempts(0);
      *entry.mutable_commanded_at() = to_timestamp(now_);
      send(entry, *plan_.find(entry.name()));
    }
    after().set_state(SagaProgress::RUNNING);
    return true;
  }

  void settle(Entry& entry, Entry::Status status) {
    if (entry.overdue()) transition_.move.set_resumed(entry.name());
    entry.set_status(status);
    entry.set_overdue(false);
    entry.clear_look_at();
  }

  /// Back, as soon as nothing of a group is under way any more.
  void go_back() {
    after().set_state(SagaProgress::COMPENSATING);
    if (any(Entry::COMMANDED)) return;
    for (auto planned = plan_.steps.rbegin(); planned != plan_.steps.rend(); ++planned) {
      if (planned->undo.empty()) continue;
      auto* entry = entry_of(planned->name, Entry::DONE);
      if (entry == nullptr) entry = entry_of(planned->name, Entry::TIMED_OUT);
      if (entry == nullptr) continue;
      entry->set_status(Entry::UNDOING);
      begin(*entry, *planned);
      return;
    }
    after().set_state(SagaProgress::CANCELLED);
  }

  void command_group(std::size_t group) {
    bool any_left = false;
    for (const auto& planned : plan_.steps) {
      if (planned.group != group) continue;
      any_left = true;
      auto& entry = *after().add_step();
      entry.set_name(planned.name);
      entry.set_status(Entry::COMMANDED);
      begin(entry, planned);
    }
    if (!any_left) after().set_state(SagaProgress::COMPLETED);
  }

  void begin(Entry& entry, const PlannedStep& planned) {
    entry.set_attempts(0);
    *entry.mutable_commanded_at() = to_timestamp(now_);
    send(entry, planned);
  }

  void send(Entry& entry, const PlannedStep& planned) {
    const bool backward = entry.status() == Entry::UNDOING;
    entry.set_attempts(entry.attempts() + 1);
    const auto wait = backward ? planned.undo_timeout : planned.timeout;
    *entry.mutable_look_at() =
        to_timestamp(now_ + (entry.attempts() == 1 ? wait : pause_before_repetition(wait, entry.attempts())));
    transition_.commands.push_back({planned.name, backward ? planned.undo : planned.name, backward});
  }

  const Plan& plan_;
  const TimePoint now_;
  Transition transition_;
};

}  // namespace

const PlannedStep* Plan::find(std::string_view step) const {
  const auto found = std::ranges::find(steps, step, &PlannedStep::name);
  return found == steps.end() ? nullptr : &*found;
}

Plan plan_of(const contract::Orchestration& saga) {
  Plan plan;
  std::size_t next_group = 0;
  std::string open;
  for (const auto& step : saga.steps) {
    if (step.kind == v1::COMPENSATION) continue;
    if (plan.steps.empty() || step.group.empty() || step.group != open) ++next_group;
    open = step.group;
    PlannedStep planned{step.name, step.compensated_by, next_group - 1, step.timeout, step.patience, {}, {}};
    if (const auto* undo = saga.find_step(step.compensated_by)) {
      planned.undo_timeout = undo->timeout;
      planned.undo_patience = undo->patience;
    }
    if (step.kind == v1::PIVOT) plan.pivot = planned.group;
    plan.steps.push_back(std::move(planned));
  }
  return plan;
}

std::optional<Transition> advance(const Plan& plan, const SagaProgress& progress, const Heard& heard, TimePoint now) {
  Advance one(plan, progress, now);
  if (!one.hear(heard)) return std::nullopt;
  return one.finish();
}

std::string command_key(const std::string& saga_id, const Command& command) {
  return saga_id + ":" + command.step + ":" + (command.backward ? "backward" : "forward");
}

}  // namespace quadrille::orchestrator
