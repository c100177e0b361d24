#include "evolution/evolution.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace quadrille::evolution {
namespace {

using Events = std::set<std::string>;

Events said(const contract::Participant& participant) {
  Events events;
  for (const auto& step : participant.steps)
    for (const auto& event : step.emits()) events.insert(event);
  return events;
}

Events heard(const contract::Participant& participant) {
  Events events;
  for (const auto& step : participant.steps) events.insert(step.triggers.begin(), step.triggers.end());
  return events;
}

Events added(const Events& before, Events after) {
  for (const auto& event : before) after.erase(event);
  return after;
}

/// `later` may only speak, or fall silent, once `earlier` is deployed.
struct Constraint {
  std::string earlier;
  std::string later;
  std::string event;
};

std::vector<Constraint> constraints(const contract::Model& before, const contract::Model& after) {
  struct Change {
    Events new_said;
    Events new_heard;
    Events no_longer_heard;
    Events no_longer_said;
  };
  std::map<std::string, Change> changes;
  for (const auto& now : after.participants) {
    const auto* old = before.find_participant(now.name);
    const auto old_said = old == nullptr ? Events{} : said(*old);
    const auto old_heard = old == nullptr ? Events{} : heard(*old);
    changes[now.name] = {added(old_said, said(now)), added(old_heard, heard(now)), added(heard(now), old_heard),
                         added(said(now), old_said)};
  }
  std::vector<Constraint> list;
  for (const auto& [emitter, change] : changes)
    for (const auto& [consumer, other] : changes) {
      if (emitter == consumer) continue;
      for (const auto& event : change.new_said)
        if (other.new_heard.contains(event)) list.push_back({consumer, emitter, event});
      for (const auto& event : change.no_longer_said)
        if (other.no_longer_heard.contains(event)) list.push_back({emitter, consumer, event});
    }
  return list;
}

bool same_events(const Events& names, const contract::Model& before, const contract::Model& after) {
  return std::ranges::all_of(names, [&](const std::string& name) {
    const auto* old = before.find_event(name);
    const auto* now = after.find_event(name);
    return old != nullptr && now != nullptr && old->subject_pattern() == now->subject_pattern() &&
           std::ranges::equal(old->fields, now->fields, [](const contract::Field& a, const contract::Field& b) {
             return a.name == b.name && a.type == b.type;
           });
  });
}

/// What is said together and what is a choice.
bool same_groups(const contract::Step& one, const contract::Step& other) {
  return std::ranges::equal(
      one.outcomes, other.outcomes, [](const contract::OutcomeGroup& a, const contract::OutcomeGroup& b) {
        return a.exclusive == b.exclusive && a.may_be_nothing == b.may_be_nothing && a.events == b.events;
      });
}

bool same_times(const contract::Step& one, const contract::Step& other) {
  const auto timer = [](const contract::Step& step) {
    return step.timeout ? std::pair(step.timeout->armed_by, step.timeout->after)
                        : std::pair{std::string(), std::chrono::milliseconds(0)};
  };
  return timer(one) == timer(other);
}

bool same(const contract::Participant& one, const contract::Participant& other, const contract::Model& before,
          const contract::Model& after) {
  return said(one) == said(other) && heard(one) == heard(other) && same_events(said(one), before, after) &&
         std::ranges::equal(one.steps, other.steps, [](const contract::Step& a, const contract::Step& b) {
           return a.name == b.name && a.kind == b.kind && a.triggers == b.triggers && a.emits() == b.emits() &&
                  a.compensated_by == b.compensated_by && a.start == b.start && a.null_safe == b.null_safe &&
                  a.settles == b.settles && same_groups(a, b) && same_times(a, b);
         });
}

}  // namespace

std::vector<checker::Finding> order_findings(const contract::Model& before, const contract::Model& after) {
  std::vector<checker::Finding> findings;
  for (const auto& constraint : constraints(before, after)) {
    const auto* event = after.find_event(constraint.event);
    const auto* later = after.find_participant(constraint.later);
    const bool speaks = said(*later).contains(constraint.event);
    findings.push_back({"QDR175",
                        checker::Severity::warning,
                        event == nullptr ? later->location : event->location,
                        speaks ? constraint.later + " begins to say " + constraint.event + ", which " +
                                     constraint.earlier + " only hears in its new version"
                               : constraint.later + " stops hearing " + constraint.event + ", which " +
                                     constraint.earlier + " still says in its old version",
                        "deploy " + constraint.earlier + " before " + constraint.later,
                        {},
                        {constraint.event, constraint.earlier, constraint.later},
                        ""});
  }
  return findings;
}

std::vector<std::string> deploy_order(const contract::Model& before, const contract::Model& after) {
  std::set<std::string> open;
  for (const auto& now : after.participants)
    if (const auto* old = before.find_participant(now.name); old == nullptr || !same(*old, now, before, after))
      open.insert(now.name);
  const auto list = constraints(before, after);
  std::vector<std::string> order;
  while (!open.empty()) {
    const auto ready = std::ranges::find_if(open, [&](const std::string& name) {
      return std::ranges::none_of(
          list, [&](const Constraint& rule) { return rule.later == name && open.contains(rule.earlier); });
    });
    const auto next = ready == open.end() ? open.begin() : ready;
    order.push_back(*next);
    open.erase(next);
  }
  return order;
}

}  // namespace quadrille::evolution
