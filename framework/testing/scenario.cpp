#include "core/clock.hpp"
#include "core/subject.hpp"
#include "core/uuid.hpp"
#include "memory/memory_store.hpp"
#include "quadrille/testing.hpp"
#include "runtime/part.hpp"
#include "runtime/unit_of_work.hpp"
#include "testing/witness.hpp"

#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>

namespace quadrille::testing {
namespace {

constexpr const char* the_saga = "11111111-1111-4111-8111-111111111111";

/// Virtual time: stands still.
class StoppedClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return TimePoint(std::chrono::hours(24 * 365 * 50)); }
};

std::string shown(const google::protobuf::Message& message) {
  return message.GetDescriptor()->name() + " { " + message.ShortDebugString() + " }";
}

template <class Pointers>
std::string shown_all(const Pointers& messages) {
  std::string text;
  for (const auto& message : messages) text += "\n  " + shown(*message);
  return text.empty() ? "\n  nothing" : text;
}

bool same(const runtime::MessagePtr& one, const runtime::MessagePtr& other) {
  return one->GetDescriptor() == other->GetDescriptor() &&
         google::protobuf::util::MessageDifferencer::Equals(*one, *other);
}

}  // namespace

struct ScenarioBase::Impl {
  explicit Impl(Participant& participant) : witness(participant), part(witness), store(clock) {}

  void run(const runtime::PlannedStep& step, const google::protobuf::Message& trigger, const std::string& key,
           const std::string& saga) {
    const auto transaction = store.begin();
    runtime::UnitOfWork unit(part, *transaction, {}, clock.now());
    try {
      unit.run(step, trigger, {key, saga, "22222222-2222-4222-8222-222222222222", 0, ""});
    } catch (const NotYet& not_yet) {
      not_yet_said = not_yet.what();
      return;
    }
    unit.flush();
    transaction->commit();
  }

  /// What the steps have said since begin(). Throws where one has said NotYet.
  [[nodiscard]] std::vector<runtime::MessagePtr> said() {
    if (not_yet_said) throw std::runtime_error("the step said " + *not_yet_said);
    std::vector<runtime::MessagePtr> events;
    const auto all = history(current_key);
    for (std::size_t i = versions_before; i < all.size(); ++i)
      events.push_back(part.parse(all[i].type, all[i].payload));
    return events;
  }

  /// With the keys that the framework would fill.
  [[nodiscard]] std::vector<runtime::MessagePtr> filled(const std::vector<const google::protobuf::Message*>& events) {
    std::vector<runtime::MessagePtr> copies;
    for (const auto* event : events) {
      auto& copy = copies.emplace_back(event->New());
      copy->CopyFrom(*event);
      if (part.key_of(*copy).empty()) part.set_key(*copy, current_key);
    }
    return copies;
  }

  [[nodiscard]] std::vector<Event> history(const std::string& key) {
    const auto transaction = store.begin();
    const auto stream = part.stream_of(key);
    auto histories = transaction->events().load(std::span(&stream, 1));
    return std::move(histories[stream]);
  }

  void begin(const std::string& key) {
    current_key = key;
    versions_before = history(key).size();
    not_yet_said.reset();
  }

  StoppedClock clock;
  Witness witness;  // for what is covered
  runtime::Part part;
  memory::MemoryStore store;
  std::string current_key;
  std::size_t versions_before = 0;
  std::optional<std::string> not_yet_said;
};

ScenarioBase::ScenarioBase(Participant& participant) : impl_(std::make_unique<Impl>(participant)) {}
ScenarioBase::~ScenarioBase() = default;

void ScenarioBase::add_resource(std::string_view resource, std::int64_t total) {
  const auto transaction = impl_->store.begin();
  if (!transaction->quantities().add(resource, total)) throw std::runtime_error("a resource's total is not negative");
  transaction->commit();
}

void ScenarioBase::record(const google::protobuf::Message& event) {
  const auto type = event.GetTypeName();
  const auto key = impl_->part.key_of(event);
  if (key.empty()) throw std::runtime_error("given: " + shown(event) + " has an empty key");
  Event recorded;
  recorded.id = new_uuid();
  recorded.type = type;
  recorded.source = impl_->part.name();
  if (!impl_->part.upcasts(type)) {  // else it is one of old, which the contract does not know any more
    const auto& declared = impl_->part.event_type(type);
    recorded.subject = event_subject(key, declared.context, declared.aggregate, declared.short_name);
  }
  recorded.stream = impl_->part.stream_of(key);
  recorded.version = impl_->history(key).size() + 1;
  recorded.saga_id = the_saga;
  recorded.payload = event.SerializeAsString();
  const auto transaction = impl_->store.begin();
  transaction->events().append(std::span(&recorded, 1));
  transaction->commit();
}

void ScenarioBase::trigger(const google::protobuf::Message& trigger) {
  const auto& part = impl_->part;
  const auto key = part.key_of(trigger);
  if (key.empty()) throw std::runtime_error("when: " + shown(trigger) + " has an empty key");
  impl_->begin(key);
  const auto type = trigger.GetTypeName();
  bool started = false;
  for (const auto& today : part.read(type, trigger.SerializeAsString()))
    for (const auto* step : part.started_by(today->GetTypeName())) {
      runtime::MessagePtr own(today->New());
      own->CopyFrom(*today);
      impl_->run(*step, *part.trigger_for(*step, std::move(own)), key, the_saga);
      started = true;
    }
  for (const auto& step : part.declared().steps)
    if (step.start == contract::Start::command && step.input == type) {
      impl_->run(part.step(step.name), trigger, key, "");
      started = true;
    }
  if (!started) throw std::runtime_error("when: " + type + " starts no step of " + part.name());
}

void ScenarioBase::fire(const std::string& timer_step, const std::string& key) {
  impl_->begin(key);
  impl_->run(impl_->part.step(timer_step), v1::Timer(), key, the_saga);
}

void ScenarioBase::expect(const std::vector<const google::protobuf::Message*>& events) {
  const auto actual = impl_->said();
  const auto expected = impl_->filled(events);
  if (!std::ranges::equal(actual, expected, same))
    throw std::runtime_error("expected:" + shown_all(expected) + "\nbut the participant said:" + shown_all(actual));
}

void ScenarioBase::expect_among(const std::vector<const google::protobuf::Message*>& events) {
  const auto actual = impl_->said();
  const auto expected = impl_->filled(events);
  auto from = actual.begin();
  for (const auto& event : expected) {
    from = std::find_if(from, actual.end(), [&](const auto& one) { return same(one, event); });
    if (from == actual.end())
      throw std::runtime_error("expected among others:" + shown_all(expected) +
                               "\nbut the participant said:" + shown_all(actual));
    ++from;
  }
}

void ScenarioBase::expect_not_yet() {
  if (!impl_->not_yet_said) throw std::runtime_error("expected NotYet, but the step decided");
}

std::int64_t ScenarioBase::free(std::string_view resource) {
  const auto transaction = impl_->store.begin();
  const auto quantity = transaction->quantities().find(resource);
  if (!quantity) throw std::runtime_error("there is no resource " + std::string(resource));
  return quantity->total - quantity->held;
}

std::vector<std::string> ScenarioBase::armed() {
  const auto transaction = impl_->store.begin();
  std::vector<std::string> steps;
  for (const auto& deadline : transaction->deadlines().take_due(TimePoint::max(), 1000)) steps.push_back(deadline.step);
  return steps;
}

}  // namespace quadrille::testing
