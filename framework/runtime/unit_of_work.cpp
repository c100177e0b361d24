#include "runtime/unit_of_work.hpp"

#include "core/envelope.hpp"
#include "core/subject.hpp"
#include "core/trace_context.hpp"
#include "core/uuid.hpp"
#include "quadrille/error.hpp"
#include "runtime/patience.hpp"
#include "runtime/step_context.hpp"
#include "telemetry/instruments.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

namespace quadrille::runtime {

namespace {

/// Of a saga that an event of this role ends; empty for roles that end none.
std::string end_state(v1::SagaRole::Role role) {
  switch (role) {
    case v1::SagaRole::END_DONE:
      return "completed";
    case v1::SagaRole::END_UNDONE:
      return "cancelled";
    case v1::SagaRole::END_STUCK:
      return "stuck";
    default:
      return "";
  }
}

}  // namespace

struct UnitOfWork::Loaded {
  std::unique_ptr<Aggregate> aggregate;
  std::uint64_t version = 0;
  std::map<std::string, std::uint64_t> commanded;  ///< versions of its streams of commands, by category
};

UnitOfWork::UnitOfWork(const Part& part, Transaction& transaction, Limits limits, TimePoint now)
    : part_(part), transaction_(transaction), limits_(limits), now_(now) {}

UnitOfWork::~UnitOfWork() = default;

void UnitOfWork::load(const std::set<std::string>& keys) {
  std::vector<StreamName> streams;
  for (const auto& key : keys)
    if (!loaded_.contains(key)) std::ranges::copy(part_.streams_of(key), std::back_inserter(streams));
  if (!streams.empty()) fold(streams, transaction_.events().load(streams));
}

void UnitOfWork::fold(std::span<const StreamName> streams, const std::map<StreamName, std::vector<Event>>& histories) {
  for (const auto& stream : streams) {
    auto& loaded = loaded_[stream.key];
    if (!loaded) {
      loaded = std::make_unique<Loaded>();
      loaded->aggregate = part_.participant().new_aggregate();
    }
    const auto history = histories.find(stream);
    if (stream.category != part_.declared().aggregate) {
      loaded->commanded[stream.category] = history == histories.end() ? 0 : history->second.back().version;
    } else if (history != histories.end()) {
      for (const auto& event : history->second) {
        for (const auto& message : part_.read(event.type, event.payload)) loaded->aggregate->apply(*message);
        loaded->version = event.version;
      }
    }
  }
}

UnitOfWork::Loaded& UnitOfWork::loaded(const std::string& key) {
  load({key});
  return *loaded_.at(key);
}

const Aggregate* UnitOfWork::state(const std::string& key) {
  const auto& found = loaded(key);
  return found.version == 0 ? nullptr : found.aggregate.get();
}

StepResult UnitOfWork::run(const PlannedStep& step, const google::protobuf::Message& trigger, const Cause& cause) {
  running_step_ = step.declared->name;
  if (cause.hops >= limits_.max_hops)
    throw Error(Disposition::park,
                "saga " + cause.saga_id + " has made " + std::to_string(cause.hops) +
                    " hops, more than any declared path: the choreography runs in a circle",
                ReasonClass::contract);
  auto& aggregate = *loaded(cause.key).aggregate;
  StepResult result{cause.saga_id.empty() ? new_time_uuid(now_) : cause.saga_id, {}};
  StepContext context(step, transaction_, cause.key, result.saga_id, now_);
  const telemetry::Stopwatch watch;
  const auto outcome = part_.participant().handle(step.index, trigger, aggregate, context);
  tally_.step_seconds[running_step_].push_back(watch.seconds());
  if (cause.recorded_at) tally_.triggered[running_step_].push_back(*cause.recorded_at);
  if (!context.nothing_new())
    for (auto* event : part_.events_of(step, *outcome))
      result.recorded.push_back(record(step, *event, cause, result.saga_id));
  if (part_.orchestrates())
    for (const auto& event : events_[cause.key])
      if (std::ranges::find(result.recorded, event.id) != result.recorded.end())
        watch_patience(part_, transaction_, event, now_, tally_);
  if (result.recorded.empty())
    ++tally_.steps[{running_step_, "nothing"}];
  else
    arm(step, cause, result, context.chosen_times());
  last_step_ = std::exchange(running_step_, {});
  return result;
}

void UnitOfWork::count(const PlannedStep& step, const contract::EventType& type, const std::string& saga_id) {
  ++tally_.steps[{step.declared->name, type.short_name}];
  for (const auto& role : type.roles) {
    if (role.role() == v1::SagaRole::START) tally_.started.push_back(role.saga());
    const auto state = end_state(role.role());
    if (state.empty()) continue;
    Tally::Finish finish{role.saga(), state, {}};
    // The participant that begins a saga puts the time into its id. Clocks of two machines may differ a little.
    if (const auto began = time_of_uuid(saga_id))
      finish.seconds = std::max(0.0, std::chrono::duration<double>(now_ - *began).count());
    tally_.finished.push_back(std::move(finish));
  }
}

std::string UnitOfWork::record(const PlannedStep& step, google::protobuf::Message& message, const Cause& cause,
                               std::string& saga_id) {
  const auto& type = part_.event_type(message.GetTypeName());
  if (part_.key_of(message).empty()) part_.set_key(message, cause.key);
  if (part_.key_of(message) != cause.key)
    throw Error(Disposition::park,
                "step " + step.declared->name + " for key '" + cause.key + "' says " + type.short_name + " of key '" +
                    part_.key_of(message) + "'; a step decides for its own aggregate only",
                ReasonClass::contract);
  auto& target = loaded(cause.key);
  Event event;
  event.id = new_uuid();
  event.type = type.name;
  event.source = part_.name();
  event.subject = event_subject(cause.key, type.context, type.aggregate, type.short_name);
  const bool commands = !type.command_to.empty();
  auto& version = commands ? target.commanded.at(type.aggregate) : target.version;
  event.stream = {type.aggregate, cause.key};
  event.version = version + 1;
  event.saga_id = saga_id;
  event.causation_id = cause.id;
  event.hops = cause.hops + 1;
  event.contract = part_.fingerprint();
  event.traceparent = next_traceparent(cause.traceparent);
  event.recorded_at = now_;
  event.payload = message.SerializeAsString();
  if (const std::unique_ptr<google::protobuf::Message> read(message.New()); !read->ParseFromString(event.payload))
    throw Error(Disposition::park,
                "event " + type.name +
                    " cannot be read by who hears it: a string in it is not UTF-8 (declare bytes, or "
                    "cut text between characters)",
                ReasonClass::contract);
  if (const auto bytes = wire_bytes(to_message(event)); bytes > limits_.max_message_bytes)
    throw Error(Disposition::park,
                "event " + type.name + " takes " + std::to_string(bytes) + " bytes, the broker takes " +
                    std::to_string(limits_.max_message_bytes) +
                    " (max_payload); record a reference instead of the content",
                ReasonClass::contract);
  count(step, type, saga_id);
  if (!commands) target.aggregate->apply(message);
  version = event.version;
  auto id = event.id;
  events_[cause.key].push_back(std::move(event));
  recorded_anything_ = true;
  return id;
}

void UnitOfWork::arm(const PlannedStep& step, const Cause& cause, const StepResult& result,
                     const std::map<std::string, std::chrono::milliseconds>& chosen) {
  for (const auto& timer : step.timers) {
    const auto choice = chosen.find(timer.step);
    if (step.arms_what_it_chooses && choice == chosen.end()) continue;
    Deadline deadline;
    deadline.id = new_uuid();
    deadline.step = timer.step;
    deadline.key = cause.key;
    deadline.saga_id = result.saga_id;
    deadline.causation_id = result.recorded.back();
    // Looking again at the same command is no hop: a compensation may be repeated for ever.
    deadline.hops = cause.hops + (step.arms_what_it_chooses && step.declared->start == contract::Start::timer ? 0 : 1);
    deadline.traceparent = next_traceparent(cause.traceparent);
    deadline.due_at = now_ + (choice == chosen.end() ? timer.after : choice->second);
    deadlines_.push_back(std::move(deadline));
  }
}

void UnitOfWork::flush() {
  running_step_ = last_step_;
  // First what may wait for the next answer: it is in when the events are. None is armed without an event.
  if (!deadlines_.empty()) transaction_.deadlines().arm(std::exchange(deadlines_, {}));
  if (const auto all = take_events(); !all.empty()) transaction_.events().append(all);
  running_step_.clear();
}

void UnitOfWork::flush_last() {
  if (!deadlines_.empty()) transaction_.deadlines().arm(std::exchange(deadlines_, {}));
  if (const auto all = take_events(); !all.empty()) transaction_.events().append_last(all);
}

std::vector<Event> UnitOfWork::take_events() {
  std::vector<Event> all;
  for (auto& [key, events] : events_) std::ranges::move(events, std::back_inserter(all));
  events_.clear();
  return all;
}

}  // namespace quadrille::runtime
