#include "quadrille/testing/choreography.hpp"

#include "core/random.hpp"
#include "runtime/acts.hpp"
#include "testing/saga_state.hpp"
#include "testing/world.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace quadrille::testing {
namespace {

using Fate = memory::MemoryBroker::Fate;

const runtime::Hand a_person{"the test", "as the test wants it"};

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += "\n  " + name;
  return text.empty() ? "\n  nothing" : text;
}

/// What happens to deliveries, as the test has it.
class Way {
 public:
  Fate fate(const std::string& consumer, const Message& message) {
    const auto type = message.headers.find("ce-type");
    if (type != message.headers.end()) {
      if (const auto delay = delayed.find(type->second);
          delay != delayed.end() && lost_.emplace(consumer, message.headers.at("Nats-Msg-Id")).second)
        return {.lost = delay->second};
      if (doubled.contains(type->second)) return {.twice = once_more(consumer, message)};
    }
    if (!disorder) return {};
    const auto number = (*disorder)() % 6;
    if (number == 0) return {.lost = std::chrono::milliseconds(1 + (*disorder)() % 60'000)};
    return {.twice = number == 1 && once_more(consumer, message)};
  }

  std::set<std::string> doubled;
  std::map<std::string, std::chrono::milliseconds> delayed;
  std::optional<std::mt19937_64> disorder;

 private:
  bool once_more(const std::string& consumer, const Message& message) {
    return repeated_.emplace(consumer, message.headers.at("Nats-Msg-Id")).second;
  }

  std::set<std::pair<std::string, std::string>> lost_;
  std::set<std::pair<std::string, std::string>> repeated_;
};

}  // namespace

struct Choreography::Impl {
  explicit Impl(std::uint64_t seed) : random(seed) {
    world.broker().decide_fates(
        [this](const auto& consumer, const auto& message) { return way.fate(consumer, message); });
  }

  [[nodiscard]] World::Instance& instance(const std::string& participant) {
    return *world.instances()[world.actor(participant).instances.front()];
  }
  [[nodiscard]] std::vector<const runtime::Part*> parts() const {
    std::vector<const runtime::Part*> all;
    for (const auto& role : roles) all.push_back(&role->part);
    return all;
  }
  [[nodiscard]] Quantities::Quantity quantity(const std::string& participant, std::string_view name) {
    return world.actor(participant).store.begin()->quantities().find(name).value_or(Quantities::Quantity{});
  }

  SeededRandom random;
  Way way;
  std::map<std::string, Said> said;  ///< by saga
  std::vector<std::unique_ptr<Participant>> participants;
  std::vector<std::unique_ptr<Role>> roles;
  World world;
};

Choreography::Choreography(std::uint64_t seed) : impl_(std::make_unique<Impl>(seed)) {}
Choreography::~Choreography() = default;

Choreography& Choreography::add(std::unique_ptr<Participant> participant) {
  impl_->participants.push_back(std::move(participant));
  impl_->roles.push_back(std::make_unique<Role>(*impl_->participants.back()));
  auto& role = *impl_->roles.back();
  role.witness.on_run([this](const StepRun& run) {
    for (const auto& event : run.said) impl_->said[run.saga_id].emplace(run.participant + "." + run.step, event);
  });
  impl_->world.add(role);
  return *this;
}

Choreography& Choreography::resource(const std::string& participant, std::string_view name, std::int64_t amount) {
  const auto transaction = impl_->world.actor(participant).store.begin();
  if (!transaction->quantities().add(name, amount))
    throw std::runtime_error("resource: there is less than " + std::to_string(-amount) + " of " + std::string(name));
  transaction->commit();
  return *this;
}

std::string Choreography::when(const google::protobuf::Message& command) {
  impl_->world.settle();
  auto saga = impl_->world.command(command);
  impl_->world.settle();
  return saga;
}

Choreography& Choreography::advance(std::chrono::milliseconds length) {
  impl_->world.advance(length);
  return *this;
}

Choreography& Choreography::away(const std::string& participant) {
  impl_->world.stop(impl_->instance(participant), true);
  return *this;
}

Choreography& Choreography::back(const std::string& participant) {
  auto& instance = impl_->instance(participant);
  if (!instance.loops) impl_->world.start(instance);
  impl_->world.settle();
  return *this;
}

Choreography& Choreography::crash(const std::string& participant) {
  auto& instance = impl_->instance(participant);
  impl_->world.stop(instance, false);
  impl_->world.start(instance);
  return *this;
}

Choreography& Choreography::fail(const std::string& participant, const std::string& step, std::uint32_t times,
                                 const std::string& what) {
  auto& role = impl_->world.actor(participant).role;
  static_cast<void>(role.part.step(step));  // throws where there is none
  role.witness.fail(step, times, what);
  return *this;
}

Choreography& Choreography::retry(const std::string& participant) {
  constexpr std::size_t most = 1000;
  auto& actor = impl_->world.actor(participant);
  runtime::Acts acts(actor.store, impl_->world.clock(), {participant, actor.role.part.fingerprint()}, a_person);
  for (const auto& message : actor.store.begin()->inbox().look(participant, {.stuck = true}, most))
    static_cast<void>(acts.retry(message.message_id));
  impl_->world.settle();
  return *this;
}

Choreography& Choreography::duplicate_event(const std::string& type) {
  impl_->way.doubled.insert(type);
  return *this;
}

Choreography& Choreography::delay_event(const std::string& type, std::chrono::milliseconds length) {
  impl_->way.delayed[type] = length;
  return *this;
}

Choreography& Choreography::disorder(std::uint64_t seed) {
  impl_->way.disorder.emplace(seed);
  return *this;
}

SagaState Choreography::state(const std::string& saga_id) {
  const auto events = impl_->world.recorded(saga_id);
  auto said = impl_->said[saga_id];
  std::erase_if(said, [&](const auto& entry) {  // of a step whose transaction was not committed
    return std::ranges::none_of(events, [&](const Event& event) { return event.type == entry.second; });
  });
  return saga_state(events, said, impl_->parts());
}

void Choreography::expect_state(const std::string& saga_id, SagaState expected) {
  const auto actual = state(saga_id);
  if (actual == expected) return;
  std::ostringstream text;
  text << "saga " << saga_id << " is " << actual << ", not " << expected << "; said:" << listed(said(saga_id));
  for (const auto& role : impl_->roles)
    for (const auto& reason : stuck(role->part.name())) text << "\nstuck at " << role->part.name() << ": " << reason;
  throw std::runtime_error(text.str());
}

std::vector<std::string> Choreography::said(const std::string& saga_id) {
  std::vector<std::string> names;
  for (const auto& event : impl_->world.recorded(saga_id))
    names.push_back(event.source + event.type.substr(event.type.rfind('.')));
  return names;
}

void Choreography::expect_said(const std::string& saga_id, const std::vector<std::string>& expected) {
  const auto actual = said(saga_id);
  if (actual != expected)
    throw std::runtime_error("expected in saga " + saga_id + ":" + listed(expected) +
                             "\nbut said was:" + listed(actual));
}

std::int64_t Choreography::free(const std::string& participant, std::string_view resource) {
  const auto quantity = impl_->quantity(participant, resource);
  return quantity.total - quantity.held;
}

std::int64_t Choreography::held(const std::string& participant, std::string_view resource) {
  return impl_->quantity(participant, resource).held;
}

std::vector<std::string> Choreography::stuck(const std::string& participant) {
  constexpr std::size_t most = 1000;
  std::vector<std::string> reasons;
  const auto transaction = impl_->world.actor(participant).store.begin();
  for (const auto& message : transaction->inbox().look(participant, {.stuck = true}, most))
    reasons.push_back(message.step + (message.step.empty() ? "" : ": ") + message.reason);
  return reasons;
}

bool Choreography::all_published() {
  return std::ranges::all_of(impl_->world.actors(), [](const auto& actor) { return actor->store.unpublished() == 0; });
}

}  // namespace quadrille::testing
