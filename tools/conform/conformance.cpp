#include "conform/conformance.hpp"

#include "checker/metrics.hpp"
#include "core/time_text.hpp"

#include <algorithm>
#include <functional>

namespace quadrille::conform {
namespace {

using checker::Severity;
using traffic::Happening;
using traffic::Instance;

constexpr Graph::Node nobody = -1;

std::chrono::microseconds percentile(const std::vector<std::int64_t>& sorted, double share) {
  if (sorted.empty()) return std::chrono::microseconds(0);
  const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5);
  return std::chrono::microseconds(sorted[place]);
}

}  // namespace

Conformance::Conformance(const Graph& graph, const std::vector<checker::SagaView>& sagas,
                         std::set<std::string> fingerprints)
    : graph_(graph),
      sagas_(sagas),
      fingerprints_(std::move(fingerprints)),
      declared_(graph, sagas),
      instances_(declared_) {
  for (const auto& saga : sagas) {
    const checker::SagaFlow flow(graph, saga);
    hop_limits_.push_back(checker::measure(flow).longest_way);
    // What leads round a loop that the pivot itself bounds has decided nothing yet.
    for (const auto pivot : flow.steps_of(v1::PIVOT))
      for (const auto said : graph.next(pivot))
        if (!graph.is_step(said) && !graph.event(said).failure &&
            !(graph.step(pivot).bound && flow.reaches(said, pivot)))
          decides_.insert({pivot, said});
  }
}

void Conformance::tally(const char* code, Severity severity, const std::string& what, const std::string& hint,
                        const std::vector<Graph::Node>& about, const std::string& saga_id, const std::string& saga) {
  auto& entry = tallies_[std::string(code) + "\n" + what];
  if (entry.count++ > 0) return;
  entry = {severity, what, hint, {}, {}, saga, 1, saga_id};
  for (const auto node : about) {
    if (node < 0) continue;
    if (entry.about.empty()) entry.location = graph_.location(node);
    entry.about.push_back(graph_.full_name(node));
  }
  if (entry.about.empty()) entry.about.push_back(what);
}

void Conformance::take(const Event& event) {
  if (event.stream.category == "supervision") return;  // the framework speaks: no part of the declared flow
  ++events_;
  const auto added = instances_.take(event);
  const auto bytes = std::hash<std::string>{}(event.payload);
  if (added.repeated) {
    if (bytes_.at(event.id) != bytes)
      tally("QDR212", Severity::warning, event.type + " was recorded twice under one id with different bytes",
            "an id belongs to one fact: find who makes ids", {}, event.saga_id);
    return;
  }
  bytes_[event.id] = bytes;
  judge_event(event, added);
  judge_order(event, added);
  origins_[event.id] = {event.stream.text(), event.version};
}

void Conformance::judge_event(const Event& event, const traffic::Instances::Added& added) {
  const auto& happening = added.instance->happened[added.place];
  if (!fingerprints_.empty() && !fingerprints_.contains(event.contract))
    tally("QDR210", Severity::warning,
          event.source + " runs a contract that these are not (fingerprint " + event.contract.substr(0, 12) + ")",
          "hold its traffic against the contracts it was built with", {}, event.saga_id);
  if (happening.event == nobody) {
    tally("QDR201", Severity::error, event.source + " said " + event.type + ", which no contract declares",
          "declare it, or stop emitting it", {}, event.saga_id);
    ++missing_;
    return;
  }
  const auto& type = graph_.event(happening.event);
  if (type.subject.empty() &&
      !event.subject.ends_with("." + type.context + "." + type.aggregate + "." + type.short_name))
    tally("QDR201", Severity::error, type.name + " was published on " + event.subject + ", not where it is declared",
          "publish through the framework", {happening.event}, event.saga_id);
  const auto& emitters = graph_.before(happening.event);
  if (std::ranges::none_of(emitters, [&](Graph::Node step) { return graph_.step(step).participant == event.source; })) {
    tally("QDR201", Severity::error, event.source + " said " + type.name + ", which its contract does not declare",
          "declare it in an outcome of " + event.source + ", or stop emitting it", {happening.event}, event.saga_id);
    ++missing_;
    return;
  }
  const auto cause =
      happening.cause < 0 ? nobody : added.instance->happened[static_cast<std::size_t>(happening.cause)].event;
  if (happening.step == nobody && cause < 0 && !event.causation_id.empty()) {
    ++unrecorded_;  // its cause came before the range, or is in another participant's store: nothing can be said of it
    return;
  }
  // Where an orchestrated saga stands, and what it commands once more, is declared but drawn on no way of its own.
  if (happening.step == nobody && graph_.conducts(emitters.front())) return;
  if (happening.step == nobody) {
    ++missing_;
    const auto edge = (cause < 0 ? std::string("nothing") : graph_.event(cause).short_name) + " -> " + event.source +
                      " -> " + type.short_name;
    ++undeclared_[edge];
    tally("QDR202", Severity::error, edge + " happened, but no step declares it",
          "declare the step, or find out who reacts", {cause, happening.event}, event.saga_id);
    return;
  }
  ++consumed_;
  const bool by_the_clock = graph_.step(happening.step).start == contract::Start::timer;
  auto& delays = delays_[{by_the_clock ? nobody : cause, happening.step, happening.event}];
  if (cause < 0 || by_the_clock) {
    delays.push_back(0);
    return;
  }
  const auto& before = added.instance->happened[static_cast<std::size_t>(happening.cause)];
  delays.push_back(
      std::chrono::duration_cast<std::chrono::microseconds>(happening.recorded_at - before.recorded_at).count());
}

/// Of what one participant says because of one stream, the causes come in the order of that stream.
void Conformance::judge_order(const Event& event, const traffic::Instances::Added& added) {
  const auto origin = origins_.find(event.causation_id);
  if (origin == origins_.end()) return;
  auto& heard = heard_[event.source + "\n" + event.stream.text() + "\n" + origin->second.stream];
  const bool later = event.version > heard.own_version;
  if (heard.own_version > 0 &&
      (later ? origin->second.version < heard.cause_version : origin->second.version > heard.cause_version))
    tally("QDR211", Severity::error,
          event.source + " handled events of one stream (" +
              origin->second.stream.substr(0, origin->second.stream.find('-')) + ") out of their order",
          "an older fact must never be applied over a newer one: look at its gate and lanes",
          {added.instance->happened[added.place].event}, event.saga_id);
  if (later) heard = {std::max(heard.cause_version, origin->second.version), event.version};
}

void Conformance::judge_instance(const Instance& instance, TimePoint now, Report& report) {
  ++report.instances;
  if (instance.saga < 0) {
    ++report.running;
    return;
  }
  const auto& view = sagas_[static_cast<std::size_t>(instance.saga)];
  const auto done = std::ranges::count_if(
      instance.ends, [&](Graph::Node end) { return std::ranges::find(view.done, end) != view.done.end(); });
  if (!instance.has_ended())
    ++report.running;
  else
    ++(done > 0 ? report.completed : report.cancelled);
  if (instance.ends.size() > 1 && instance.ends.front() == instance.ends.back())
    tally("QDR205", Severity::error,
          "saga " + view.name + " said " + graph_.event(instance.ends.front()).short_name + ", its end, more than once",
          "let one step say it, and once", instance.ends, instance.saga_id, view.name);
  if (std::set<Graph::Node>(instance.ends.begin(), instance.ends.end()).size() > 1)
    tally("QDR205", Severity::error,
          "saga " + view.name + " ended in two ways: " + graph_.event(instance.ends.front()).short_name + " and " +
              graph_.event(instance.ends.back()).short_name,
          "one participant has to decide: see QDR160", instance.ends, instance.saga_id, view.name);
  if (view.declared != nullptr && view.declared->deadline.count() > 0 && !instance.has_ended() &&
      now - instance.started > view.declared->deadline) {
    const auto waits = instances_.waits_for(instance);
    tally("QDR204", Severity::error,
          "saga " + view.name + " is past its deadline of " + duration_text(view.declared->deadline) +
              " without an END" + (waits.empty() ? "" : ", waiting for " + graph_.label(waits.front().step)),
          "look what holds the step, and push it on", waits.empty() ? view.starts : std::vector{waits.front().step},
          instance.saga_id, view.name);
  }
  judge_pivot_and_undo(instance, view.name);
  judge_loops(instance, view.name);
  judge_repetition(instance, view.name);
  // Tokens: what is heard by a step that has to answer.
  for (const auto& happening : instance.happened)
    if (happening.event >= 0 && !view.is_end(happening.event))
      for (const auto step : graph_.next(happening.event))
        if (std::ranges::none_of(graph_.step(step).outcomes, [](const auto& group) { return group.may_be_nothing; }))
          ++produced_;
  if (instance.has_ended()) remaining_ += instances_.unanswered(instance).size();
}

void Conformance::judge_pivot_and_undo(const Instance& instance, const std::string& saga) {
  TimePoint passed = TimePoint::max();
  for (const auto& happening : instance.happened)
    if (happening.step >= 0 && decides_.contains({happening.step, happening.event}))
      passed = std::min(passed, happening.recorded_at);
  TimePoint ended = TimePoint::max();
  for (const auto& happening : instance.happened)
    if (std::ranges::find(instance.ends, happening.event) != instance.ends.end())
      ended = std::min(ended, happening.recorded_at);
  // What led to it came first, whatever the clocks say.
  const auto led_to = [&](const Happening& earlier, const Happening& later) {
    const Happening* at = &later;
    for (std::size_t hops = 0; at->cause >= 0 && hops <= instance.happened.size(); ++hops) {
      at = &instance.happened[static_cast<std::size_t>(at->cause)];
      if (at == &earlier) return true;
    }
    return false;
  };
  // A new try after an undo: the pivot that it came to knew of the undo.
  const auto before_a_new_try = [&](const Happening& undo) {
    return std::ranges::all_of(instance.happened, [&](const Happening& other) {
      return other.step < 0 || graph_.step(other.step).kind != v1::PIVOT || graph_.event(other.event).failure ||
             led_to(undo, other);
    });
  };
  bool failed = false;
  for (const auto& happening : instance.happened) {
    if (happening.step < 0) continue;
    const auto& step = graph_.step(happening.step);
    failed = failed || graph_.event(happening.event).failure;
    if (step.kind == v1::COMPENSATION && passed != TimePoint::max() && !before_a_new_try(happening))
      tally("QDR206", Severity::error,
            graph_.label(happening.step) + " undid something in a saga whose pivot had passed",
            "past the pivot a saga only goes forward: see QDR127 and QDR161", {happening.step}, instance.saga_id, saga);
    if (happening.recorded_at > ended && step.kind != v1::OBSERVER &&
        std::ranges::find(instance.ends, happening.event) == instance.ends.end())
      tally("QDR205", Severity::error,
            graph_.label(happening.step) + " said " + graph_.event(happening.event).short_name +
                " after the saga had ended",
            "let the END be said last: see QDR112", {happening.step, happening.event}, instance.saga_id, saga);
  }
  for (const auto& happening : instance.happened) {
    if (happening.step < 0 || graph_.event(happening.event).failure) continue;
    const auto undo = checker::compensation_of(graph_, graph_.step(happening.step));
    if (undo < 0) continue;
    const auto undone =
        std::ranges::find_if(instance.happened, [&](const Happening& other) { return other.step == undo; });
    if (undone == instance.happened.end()) {
      const bool cancelled = std::ranges::any_of(instance.ends, [&](Graph::Node end) {
        return checker::has_role(graph_.event(end), v1::SagaRole::END_UNDONE);
      });
      if (failed && cancelled)
        tally("QDR207", Severity::error,
              graph_.label(happening.step) + " had been done in a cancelled saga and was not undone by " +
                  graph_.label(undo),
              "see what was left: this one needs a person", {happening.step, undo}, instance.saga_id, saga);
    } else if (undone->recorded_at < happening.recorded_at && !led_to(*undone, happening)) {
      tally("QDR209", Severity::warning,
            graph_.label(undo) + " came before " + graph_.label(happening.step) + ", which it undoes",
            graph_.step(undo).null_safe ? "it is null_safe, so that is allowed" : "say null_safe: see QDR126",
            {undo, happening.step}, instance.saga_id, saga);
    }
  }
}

/// One step answers one cause once: of each group of its outcome one event.
void Conformance::judge_repetition(const Instance& instance, const std::string& saga) {
  std::map<std::array<Graph::Node, 3>, std::uint32_t> said;  // by cause, step and the first event of the group
  for (const auto& happening : instance.happened) {
    if (happening.step < 0 || happening.cause < 0 || happening.event < 0) continue;
    const auto& groups = graph_.step(happening.step).outcomes;
    const auto group = std::ranges::find_if(groups, [&](const contract::OutcomeGroup& one) {
      return std::ranges::find(one.events, graph_.event(happening.event).name) != one.events.end();
    });
    if (group == groups.end()) continue;
    if (++said[{happening.cause, happening.step, graph_.event_node(group->events.front())}] == 2)
      tally("QDR213", Severity::error,
            graph_.label(happening.step) + " answered one " +
                graph_.event(instance.happened[static_cast<std::size_t>(happening.cause)].event).short_name +
                " twice, the second time by " + graph_.event(happening.event).short_name,
            "an effect was applied twice, or a choice was made twice: look at its inbox",
            {happening.step, happening.event}, instance.saga_id, saga);
  }
}

void Conformance::judge_loops(const Instance& instance, const std::string& saga) {
  std::map<Graph::Node, std::uint32_t> runs;
  for (const auto& happening : instance.happened)
    if (happening.step >= 0) ++runs[happening.step];
  for (const auto& [step, count] : runs) {
    const auto& bound = graph_.step(step).bound;
    if (bound && bound->max > 0 && count > bound->max + 1)  // the exit is said once more
      tally("QDR208", Severity::error,
            graph_.label(step) + " ran more often than its bound of " + std::to_string(bound->max),
            "the loop has to be left by " + bound->exit, {step}, instance.saga_id, saga);
  }
  const auto limit = hop_limits_[static_cast<std::size_t>(instance.saga)];
  std::vector<std::uint64_t> hops(instance.happened.size(), 1);
  for (std::size_t i = 0; i < instance.happened.size(); ++i) {
    if (const auto cause = instance.happened[i].cause; cause >= 0 && static_cast<std::size_t>(cause) < i)
      hops[i] = hops[static_cast<std::size_t>(cause)] + 1;
    if (hops[i] > limit) {
      tally("QDR208", Severity::error,
            "saga " + saga + " took more steps one after another than the " + std::to_string(limit) + " it declares",
            "somebody repeats what should happen once", {instance.happened[i].event}, instance.saga_id, saga);
      return;
    }
  }
}

void Conformance::never_seen(Report& report) {
  for (const auto step : graph_.all_steps()) {
    std::vector<Graph::Node> causes;
    for (const auto before : graph_.before(step))
      if (!graph_.is_step(before)) causes.push_back(before);
    if (causes.empty()) causes.push_back(nobody);
    for (const auto cause : causes)
      for (const auto event : graph_.next(step)) {
        if (graph_.is_step(event)) continue;
        auto& use = report.edges[{cause, step, event}];
        if (use.count > 0) continue;
        tally("QDR203", Severity::warning,
              (cause < 0 ? "" : graph_.event(cause).short_name + " -> ") + graph_.label(step) + " -> " +
                  graph_.event(event).short_name + " is declared but was never seen in " +
                  std::to_string(report.instances) + " sagas",
              "take a longer window; if it never happens, remove it, or test that it can", {step, event, cause}, "");
      }
  }
}

Report Conformance::finish(TimePoint now) {
  Report report;
  report.events = events_;
  report.unrecorded_causes = unrecorded_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> variants;
  for (const auto& instance : instances_.all()) {
    judge_instance(instance, now, report);
    std::string path;
    for (const auto& happening : instance.happened)
      path += (path.empty() ? "" : " ") +
              (happening.event < 0 ? std::string("?") : graph_.event(happening.event).short_name);
    if (instance.has_ended())
      ++variants[{instance.saga < 0 ? "" : sagas_[static_cast<std::size_t>(instance.saga)].name, path}];
  }
  for (auto& [edge, delays] : delays_) {
    std::ranges::sort(delays);
    report.edges[edge] = {delays.size(), percentile(delays, 0.5), percentile(delays, 0.9), percentile(delays, 0.99)};
  }
  never_seen(report);
  report.undeclared = undeclared_;
  for (const auto& [key, count] : variants) report.variants.push_back({key.first, key.second, count});
  std::ranges::stable_sort(report.variants, std::ranges::greater(), &Variant::count);
  const auto share = [](std::uint64_t bad, std::uint64_t all) {
    return all == 0 ? (bad == 0 ? 1.0 : 0.0) : 1.0 - static_cast<double>(std::min(bad, all)) / static_cast<double>(all);
  };
  report.fitness = 0.5 * share(missing_, consumed_ + missing_) + 0.5 * share(remaining_, produced_);
  for (const auto& [key, entry] : tallies_) {
    auto message = entry.what;
    if (!entry.example.empty())
      message += " (" + std::to_string(entry.count) + " times, such as saga " + entry.example + ")";
    report.findings.push_back({key.substr(0, key.find('\n')),
                               entry.severity,
                               entry.location,
                               message,
                               entry.hint,
                               {},
                               entry.about,
                               entry.saga});
  }
  return report;
}

}  // namespace quadrille::conform
