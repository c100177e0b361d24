#include "core/time_text.hpp"
#include "evolution/evolution.hpp"

#include <algorithm>

namespace quadrille::evolution {
namespace {

using checker::Finding;
using checker::Severity;

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Compares one thing with what it was.
class Changes {
 public:
  explicit Changes(std::vector<Finding>& findings) : findings_(findings) {}

  void participants(const contract::Model& before, const contract::Model& after) {
    for (const auto& old : before.participants) {
      const auto* now = after.find_participant(old.name);
      if (now == nullptr) {
        error(old.location, {old.name},
              "participant " + old.name + " is gone: what is on its way to it is never handled",
              "let it run until no saga needs it, then remove it");
        continue;
      }
      for (const auto& step : old.steps) {
        const auto* same = now->find_step(step.name);
        if (same != nullptr)
          steps(step, *same, before);
        else
          error(now->location, {step.full_name()}, step.full_name() + " is gone: sagas in flight that come to it hang",
                "keep the step until the last saga that may need it has ended");
      }
    }
  }

  void sagas(const contract::Model& before, const contract::Model& after) {
    for (const auto& old : before.sagas) {
      const auto* now = after.find_saga(old.name);
      if (now == nullptr || (now->deadline < old.deadline && now->deadline.count() > 0) ||
          (now->deadline.count() == 0 && old.deadline.count() > 0))
        warning(now == nullptr ? old.location : now->location, {old.name},
                "saga " + old.name + " had a deadline of " + duration_text(old.deadline) + " and has " +
                    (now == nullptr || now->deadline.count() == 0 ? "none" : duration_text(now->deadline)) +
                    " now: sagas in flight are judged by the new one",
                "look how long sagas take before it is shortened; without one, nobody is told of those that hang");
    }
  }

  void events(const contract::Model& before, const contract::Model& after) {
    for (const auto& [name, old] : before.events) {
      const auto* now = after.find_event(name);
      if (now == nullptr) continue;  // QDR173's
      if (old.subject_pattern() != now->subject_pattern())
        error(now->location, {name},
              name + " moves from " + old.subject_pattern() + " to " + now->subject_pattern() +
                  ": consumers of the old version no longer hear it",
              "emit both for one retention period, as a new event");
      if (old.key_field != now->key_field)
        error(now->location, {name},
              name + " was keyed by " + old.key_field + " and is by " + now->key_field +
                  ": its versions fall into other streams",
              "make a new event with the new key");
      for (const auto& role : old.roles)
        if (std::ranges::none_of(now->roles, [&](const auto& other) {
              return other.saga() == role.saga() && other.role() == role.role();
            }))
          error(now->location, {name},
                name + " no longer has role " + v1::SagaRole::Role_Name(role.role()) + " in saga " + role.saga() +
                    ": sagas that began before are told apart wrongly",
                "keep the role, or let a new event take it over while both exist");
      for (const auto& role : now->roles)
        if (std::ranges::none_of(old.roles, [&](const auto& other) {
              return other.saga() == role.saga() && other.role() == role.role();
            }))
          warning(now->location, {name},
                  name + " has the role " + v1::SagaRole::Role_Name(role.role()) + " in saga " + role.saga() +
                      " now: sagas that began before are judged by it, too",
                  "make sure that it is true of those that are on their way");
      if (old.failure != now->failure)
        error(now->location, {name},
              name + (now->failure ? " is a failure now" : " is no failure any more") +
                  ": the compensations that follow it were declared for the other",
              "make a new event");
    }
  }

 private:
  using Names = std::vector<std::string>;
  void add(Severity severity, const contract::Location& location, Names about, std::string message, std::string hint) {
    findings_.push_back({"QDR174", severity, location, std::move(message), std::move(hint), {}, std::move(about), ""});
  }
  void error(const contract::Location& location, Names about, std::string message, std::string hint) {
    add(Severity::error, location, std::move(about), std::move(message), std::move(hint));
  }
  void warning(const contract::Location& location, Names about, std::string message, std::string hint) {
    add(Severity::warning, location, std::move(about), std::move(message), std::move(hint));
  }

  void steps(const contract::Step& old, const contract::Step& now, const contract::Model& before) {
    const auto name = old.full_name();
    kinds(old, now);
    for (const auto& trigger : old.triggers)
      if (!has(now.triggers, trigger))
        add(old.kind == v1::OBSERVER ? Severity::warning : Severity::error, now.location, {name, trigger},
            name + " no longer hears " + trigger + (old.kind == v1::OBSERVER ? "" : ": sagas that have said it hang"),
            "keep the trigger until the last saga that may say it has ended");
    for (const auto& trigger : now.triggers)
      if (!has(old.triggers, trigger) && before.find_event(trigger) != nullptr)
        warning(now.location, {name, trigger},
                name + " hears " + trigger + " now: a repetition of an old one starts it",
                "make sure that it may: it runs for what is published after the deployment");
    for (const auto& emitted : old.emits())
      if (!has(now.emits(), emitted))
        warning(now.location, {name, emitted}, name + " no longer says " + emitted + ": its consumers fall silent",
                "remove the event's consumers in a later deployment");
    if (old.compensated_by != now.compensated_by)
      error(now.location, {name},
            name + " was compensated by " + (old.compensated_by.empty() ? "nothing" : old.compensated_by) +
                " and is by " + (now.compensated_by.empty() ? "nothing" : now.compensated_by) +
                ": sagas in flight are undone by the wrong one",
            "let the new compensation understand what the old step did, and drain or pin the old sagas");
    promises(old, now);
    times(old, now);
  }

  /// What the step promised to messages on their way and to those who decide beside it.
  void promises(const contract::Step& old, const contract::Step& now) {
    const auto name = old.full_name();
    if (now.start == contract::Start::all_of && old.start != contract::Start::all_of && now.triggers.size() > 1)
      error(now.location, {name},
            name + " waits for all its events now: sagas in flight, which had only one of them to say, hang",
            "give the step that joins a name of its own, and keep the old one until the last old saga has ended");
    if (old.start == contract::Start::all_of && now.start != contract::Start::all_of && old.triggers.size() > 1)
      error(
          now.location, {name}, name + " no longer waits for all its events: sagas in flight run it once for each",
          "give the step that does not join a name of its own, and keep the old one until the last old saga has ended");
    for (const auto& group : old.outcomes) {
      if (!group.exclusive || group.events.size() < 2) continue;
      for (const auto& other : now.outcomes)
        if (!other.exclusive && !other.events.empty() && has(group.events, other.events.front())) {
          error(now.location, {name, other.events.front()},
                name + " said one of several before and says " + other.events.front() +
                    " in any case now: branches that excluded each other both run",
                "give the new outcome a step of its own");
          break;
        }
    }
    if (old.null_safe && !now.null_safe)
      warning(now.location, {name}, name + " is no longer null_safe: it may still come before what it undoes",
              "keep null_safe until the last saga in which it may has ended");
    for (const auto& settled : old.settles)
      if (!has(now.settles, settled))
        warning(now.location, {name, settled},
                name + " no longer settles " + settled + ": where both run in one saga, both win",
                "keep it until the last saga in which both may run has ended");
  }

  /// What the step was for sagas that are before it or past it.
  void kinds(const contract::Step& old, const contract::Step& now) {
    if (old.kind == now.kind) return;
    const auto harmless = [](v1::StepKind kind) { return kind == v1::QUERY || kind == v1::OBSERVER; };
    const auto what =
        old.full_name() + " was " + v1::StepKind_Name(old.kind) + " and is " + v1::StepKind_Name(now.kind);
    if (harmless(old.kind) && harmless(now.kind))
      warning(now.location, {old.full_name()}, what + " now", "nothing to do if it changes nothing");
    else
      error(now.location, {old.full_name()},
            what + (old.kind == v1::PIVOT || now.kind == v1::PIVOT ? ": the pivot moves under sagas in flight"
                                                                   : ": sagas in flight were promised the other"),
            "drain the sagas that are on their way to it first, or give the changed step a name of its own");
  }

  void times(const contract::Step& old, const contract::Step& now) {
    const auto name = old.full_name();
    if (old.timeout && now.timeout && now.timeout->after < old.timeout->after)
      warning(now.location, {name},
              name + " fires after " + duration_text(now.timeout->after) + " instead of " +
                  duration_text(old.timeout->after) + "; timers that are armed keep the old time",
              "nothing to do if both are long enough");
    if (old.bound && now.bound && now.bound->max < old.bound->max)
      warning(now.location, {name},
              name + " may run " + std::to_string(now.bound->max) + " times instead of " +
                  std::to_string(old.bound->max) + ": sagas that are beyond leave the loop at once",
              "nothing to do if the exit is right for them");
  }

  std::vector<Finding>& findings_;
};

}  // namespace

std::vector<Finding> flow_changes(const contract::Model& before, const contract::Model& after) {
  std::vector<Finding> findings;
  Changes changes(findings);
  changes.participants(before, after);
  changes.events(before, after);
  changes.sagas(before, after);
  return findings;
}

}  // namespace quadrille::evolution
