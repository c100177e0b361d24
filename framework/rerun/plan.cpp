#include "rerun/plan.hpp"

#include "casefile/case_events.hpp"
#include "quadrille/error.hpp"
#include "quadrille/v1/supervision_events.pb.h"
#include "rerun/compare.hpp"
#include "rerun/order.hpp"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace quadrille::rerun {
namespace {

using casefile::v1::Run;

/// Also where the event was recorded under a name of old.
bool says(const runtime::Part& part, const runtime::PlannedStep& step, const Event& event) {
  const auto emitted = step.declared->emits();
  if (!part.upcasts(event.type)) return std::ranges::find(emitted, event.type) != emitted.end();
  return std::ranges::any_of(today(part, {event}), [&](const Event& newer) {
    return std::ranges::find(emitted, newer.type) != emitted.end();
  });
}

/// Finds out, event by event, which step of the participant recorded what and why.
class Planner {
 public:
  Planner(const runtime::Part& part, const casefile::v1::Case& one) : part_(part), case_(one) {
    for (const auto& recorded : one.event()) {
      if (!events_.emplace(recorded.id(), casefile::to_event(recorded)).second) continue;  // came twice
      order_.push_back(recorded.id());
      if (recorded.left_out()) left_out_.insert(recorded.id());
    }
    for (const auto& id : order_)
      if (is_own(events_.at(id))) unexplained_.insert(id);
  }

  Plan make() {
    Plan plan;
    plan.ended = case_.header().ended();
    for (const auto& id : order_) plan.end = std::max(plan.end, events_.at(id).recorded_at);
    plan.could_not = gaps();
    if (!plan.could_not.empty()) return plan;
    find_errors();
    for (const auto& id : order_) {
      const auto& event = events_.at(id);
      if (event.saga_id != case_.header().saga_id()) continue;  // brought along for its stream's sake
      add_heard(plan, event);
    }
    for (const auto& id : order_)
      if (unexplained_.contains(id)) explain(plan, events_.at(id));
    plan.items = in_order(std::move(plan.items), events_);
    return plan;
  }

 private:
  [[nodiscard]] bool is_own(const Event& event) const {
    return event.source == part_.name() && event.stream.category == part_.declared().aggregate;
  }

  /// A state cannot be folded from a part of a stream.
  [[nodiscard]] std::string gaps() const {
    for (const auto& id : unexplained_)
      if (left_out_.contains(id))
        return "the payload of " + events_.at(id).type +
               " was left out of the case, because no descriptor said what of "
               "it is personal data; export it with the contracts of " +
               part_.name() + ", or --with-personal-data";
    std::map<StreamName, std::set<std::uint64_t>> versions;
    for (const auto& id : unexplained_) versions[events_.at(id).stream].insert(events_.at(id).version);
    for (const auto& [stream, known] : versions)
      if (*known.rbegin() != known.size())
        return "of stream " + stream.text() + " the case holds " + std::to_string(known.size()) + " of " +
               std::to_string(*known.rbegin()) +
               " versions, so its state is not known; export the case from a source that still has them (the event "
               "store of " +
               part_.name() + " has)";
    return {};
  }

  /// What the framework said about steps that failed and were not handled later.
  void find_errors() {
    for (const auto& id : order_) {
      const auto& event = events_.at(id);
      v1::StepStuck stuck;
      if (event.type == stuck.GetTypeName() && stuck.ParseFromString(event.payload) &&
          stuck.participant() == part_.name())
        errors_[{stuck.message_id(), stuck.step()}] = stuck.last_error();
      v1::StepResumed resumed;
      if (event.type == resumed.GetTypeName() && resumed.ParseFromString(event.payload) &&
          resumed.how() == v1::StepResumed::HANDLED)
        errors_.erase({resumed.message_id(), resumed.step()});
    }
  }

  /// The steps that it starts, or that what it says today does.
  void add_heard(Plan& plan, const Event& event) {
    if (!part_.upcasts(event.type) || left_out_.contains(event.id)) return add_heard(plan, event, event);
    try {
      for (const auto& newer : today(part_, {event})) add_heard(plan, event, newer);
    } catch (const Error&) {
      return;  // an upcaster that cannot read it; the aggregate that needs it says so
    }
  }

  void add_heard(Plan& plan, const Event& event, const Event& today) {
    for (const auto* step : part_.started_by(today.type)) add(plan, heard_run(*step, today), recorded_by(*step, event));
  }

  PlannedRun heard_run(const runtime::PlannedStep& step, const Event& event) {
    PlannedRun run;
    run.step = &step;
    run.heard = event;
    run.at = event.recorded_at;
    if (const auto error = errors_.find({event.id, step.declared->name}); error != errors_.end())
      run.recorded_error = error->second;
    run.cause = {"", event.saga_id, event.id, event.hops, event.traceparent, event.recorded_at};
    if (left_out_.contains(event.id)) {
      run.missing = "the payload of " + event.type +
                    ", which was left out because no descriptor said what of it is "
                    "personal data";
      return run;
    }
    try {
      auto message = part_.parse(event.type, event.payload);
      run.cause.key = part_.key_of(*message);
      run.trigger = part_.trigger_for(step, std::move(message));
    } catch (const Error& error) {
      run.missing = error.what();
    }
    return run;
  }

  /// Own events that the event caused in this step; explained from then on.
  std::vector<Event> recorded_by(const runtime::PlannedStep& step, const Event& cause) {
    std::vector<Event> recorded;
    for (const auto& id : order_) {
      const auto& event = events_.at(id);
      if (event.causation_id == cause.id && unexplained_.contains(id) && says(part_, step, event))
        recorded.push_back(event);
    }
    for (const auto& event : recorded) unexplained_.erase(event.id);
    return recorded;
  }

  /// An own event that no event started a step for: a timer's, a command's, or one whose cause is not in the case.
  void explain(Plan& plan, const Event& event) {
    for (const auto& declared : part_.declared().steps) {
      const auto& step = part_.step(declared.name);
      if (!says(part_, step, event) || event.saga_id != case_.header().saga_id()) continue;
      const auto armed_by = events_.find(event.causation_id);
      if (declared.start == contract::Start::timer && armed_by != events_.end() && is_own(armed_by->second))
        return add(plan, timer_run(step, armed_by->second), recorded_by(step, armed_by->second));
      if (declared.start == contract::Start::command && event.causation_id.empty())
        return add(plan, command_run(step, event), recorded_by(step, {}));
    }
    unexplained_.erase(event.id);
    plan.items.push_back({std::nullopt, {event}, event.recorded_at});
  }

  static PlannedRun timer_run(const runtime::PlannedStep& step, const Event& armed_by) {
    PlannedRun run;
    run.step = &step;
    run.start = Run::TIMER;
    run.heard = armed_by;
    run.trigger = std::make_unique<v1::Timer>();
    run.cause = {armed_by.stream.key, armed_by.saga_id, armed_by.id, armed_by.hops, armed_by.traceparent, {}};
    return run;
  }

  /// Commands are not recorded. What the step recorded carries most of one: fields of the same name and type.
  PlannedRun command_run(const runtime::PlannedStep& step, const Event& recorded) {
    PlannedRun run;
    run.step = &step;
    run.start = Run::COMMAND;
    run.heard = recorded;
    run.cause = {recorded.stream.key, recorded.saga_id, "", 0, recorded.traceparent, {}};
    run.note =
        "commands are not recorded: it was rebuilt from the fields of the same name that " + recorded.type + " carries";
    try {
      const auto event = std::move(part_.read(recorded.type, recorded.payload).at(0));
      const auto* input = part_.participant().contract().method(step.index)->input_type();
      run.trigger.reset(google::protobuf::MessageFactory::generated_factory()->GetPrototype(input)->New());
      std::string json;
      static_cast<void>(google::protobuf::util::MessageToJsonString(*event, &json));
      google::protobuf::util::JsonParseOptions same_names;
      same_names.ignore_unknown_fields = true;
      static_cast<void>(google::protobuf::util::JsonStringToMessage(json, run.trigger.get(), same_names));
      if (part_.key_of(*run.trigger).empty()) part_.set_key(*run.trigger, recorded.stream.key);
    } catch (const std::exception& error) {
      run.missing = error.what();
    }
    return run;
  }

  static void add(Plan& plan, PlannedRun run, std::vector<Event> recorded) {
    if (!recorded.empty()) run.at = recorded.front().recorded_at;
    const auto at = run.at;
    plan.items.push_back({std::move(run), std::move(recorded), at});
  }

  const runtime::Part& part_;
  const casefile::v1::Case& case_;
  std::map<std::string, Event> events_;
  std::vector<std::string> order_;
  std::set<std::string> left_out_;
  std::set<std::string> unexplained_;
  std::map<std::pair<std::string, std::string>, std::string> errors_;
};

}  // namespace

Plan plan(const runtime::Part& part, const casefile::v1::Case& one) { return Planner(part, one).make(); }

}  // namespace quadrille::rerun
