#include "testing/witness.hpp"

#include "quadrille/v1/options.pb.h"
#include "testing/coverage_record.hpp"

#include <chrono>
#include <optional>
#include <span>

namespace quadrille::testing {
namespace {

using google::protobuf::Message;

/// Passes everything on, and remembers whether the step says that it has said it before.
class WitnessedStep final : public Step {
 public:
  explicit WitnessedStep(Step& inner) : inner_(inner) {}

  [[nodiscard]] const std::string& saga_id() const override { return inner_.saga_id(); }
  [[nodiscard]] const std::string& key() const override { return inner_.key(); }
  [[nodiscard]] std::chrono::system_clock::time_point now() const override { return inner_.now(); }
  [[nodiscard]] std::string idempotency_key() const override { return inner_.idempotency_key(); }
  [[nodiscard]] AlreadyRecorded already_recorded() override {
    again = true;
    return inner_.already_recorded();
  }
  [[nodiscard]] bool hold(std::string_view resource, std::int64_t amount) override {
    return inner_.hold(resource, amount);
  }
  std::int64_t release(std::string_view resource) override { return inner_.release(resource); }
  std::int64_t settle(std::string_view resource) override { return inner_.settle(resource); }
  [[nodiscard]] bool add(std::string_view resource, std::int64_t delta) override { return inner_.add(resource, delta); }
  void deadline(std::string_view timer_step, std::chrono::milliseconds after) override {
    inner_.deadline(timer_step, after);
  }
  std::vector<Row> sql(std::string_view statement, std::span<const std::string> parameters) override {
    return inner_.sql(statement, parameters);
  }

  bool again = false;

 private:
  Step& inner_;
};

bool is_event(const Message& message) { return message.GetDescriptor()->options().HasExtension(v1::event); }

/// Of a message that joins events, the one that is there.
std::string trigger_name(const Message& trigger) {
  if (!trigger.GetDescriptor()->options().HasExtension(v1::trigger)) return trigger.GetTypeName();
  std::vector<const google::protobuf::FieldDescriptor*> set;
  trigger.GetReflection()->ListFields(trigger, &set);
  return set.empty() ? trigger.GetTypeName() : set.front()->message_type()->full_name();
}

std::vector<std::string> events_in(const Message& outcome) {
  if (is_event(outcome)) return {outcome.GetTypeName()};
  std::vector<std::string> events;
  std::vector<const google::protobuf::FieldDescriptor*> set;
  outcome.GetReflection()->ListFields(outcome, &set);
  for (const auto* field : set)
    if (field->message_type() != nullptr && field->message_type() != v1::Nothing::descriptor())
      events.push_back(field->message_type()->full_name());
  return events;
}

}  // namespace

Witness::Witness(Participant& inner)
    : inner_(inner), name_(inner.contract().file()->options().GetExtension(v1::participant).name()) {}

std::unique_ptr<Message> Witness::handle(int step_index, const Message& trigger, const Aggregate& aggregate,
                                         Step& step) {
  const auto& step_name = inner_.contract().method(step_index)->name();
  if (const auto failing = failing_.find(step_name); failing != failing_.end() && failing->second.times > 0) {
    --failing->second.times;
    throw Error(Disposition::retry, failing->second.what);
  }
  WitnessedStep witnessed(step);
  auto outcome = inner_.handle(step_index, trigger, aggregate, witnessed);
  StepRun run{name_, step_name, trigger_name(trigger), step.key(), step.saga_id(), {}, witnessed.again};
  if (!run.again) run.said = events_in(*outcome);
  CoverageRecord::of_this_process().add(run);
  if (on_run_) on_run_(run);
  return outcome;
}

}  // namespace quadrille::testing
