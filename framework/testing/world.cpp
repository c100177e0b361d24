#include "testing/world.hpp"

#include "contract/topology.hpp"
#include "core/trace_context.hpp"
#include "core/uuid.hpp"
#include "quadrille/edge.hpp"
#include "runtime/edge_service.hpp"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>

namespace quadrille::testing {

Role::Role(Participant& participant, const std::map<std::string, std::chrono::milliseconds>& timeouts)
    : witness(participant),
      part(witness, timeouts),
      instruments(part.name()),
      log(part.name(), telemetry::Level::off, telemetry::Format::text) {}

World::World(const Settings& settings) : settings_(settings) {
  clock_.on_sleep([this](std::chrono::milliseconds length) { advance(length); });
}

void World::add(Role& role, std::size_t instances) {
  broker_.ensure(contract::topology_of(role.part.declared()));
  actors_.push_back(std::make_unique<Actor>(role, clock_));
  for (std::size_t i = 0; i < instances; ++i) {
    auto instance = std::make_unique<Instance>();
    instance->actor = actors_.size() - 1;
    instance->name = role.part.name() + "-" + std::to_string(i + 1);
    start(*instance);
    actors_.back()->instances.push_back(instances_.size());
    instances_.push_back(std::move(instance));
  }
}

World::Actor& World::actor(const std::string& participant) {
  std::string names;
  for (const auto& actor : actors_) {
    if (actor->role.part.name() == participant) return *actor;
    names += (names.empty() ? "" : ", ") + actor->role.part.name();
  }
  throw std::runtime_error("no participant '" + participant + "' takes part; there are: " + names);
}

void World::start(Instance& instance) {
  auto& role = actors_[instance.actor]->role;
  auto& store = store_of(instance);
  auto& broker = broker_of(instance);
  instance.source = std::make_unique<runtime::PollingSource>(store);
  instance.loops = std::make_unique<runtime::Loops>(
      role.part, runtime::Loops::Ports{store, *instance.source, broker, broker, clock_}, role.log, role.instruments,
      *this,
      runtime::Loops::Settings{.instance = instance.name,
                               .lease_time = settings_.lease_time,
                               .retry = settings_.retry,
                               .batch = settings_.batch,
                               .poll = std::chrono::milliseconds(0),
                               .drive = runtime::Drive::steps});
  instance.due.fill(TimePoint{});
  instance.frozen = false;
}

void World::stop(Instance& instance, bool leases_given_back) {
  if (!instance.loops) return;
  if (leases_given_back) {
    const auto transaction = actors_[instance.actor]->store.begin();
    transaction->leases().release(instance.loops->leases().owner());
    transaction->commit();
  }
  instance.loops.reset();
  instance.source.reset();
}

std::optional<std::chrono::milliseconds> World::go_round(Instance& instance, Loop loop) {
  switch (loop) {
    case Loop::leases:
      return instance.loops->leases().step();
    case Loop::dispatcher:
      return instance.loops->dispatcher().step();
    case Loop::sweeper:
      return instance.loops->sweeper().step();
    case Loop::relay:
      return instance.loops->relay().step();
  }
  return std::nullopt;
}

bool World::step(Instance& instance, Loop loop) {
  auto* const before = std::exchange(acting_, &instance);
  instance.busy = true;
  bool alive = true;
  try {
    const auto pause = go_round(instance, loop);
    instance.due[static_cast<std::size_t>(loop)] = clock_.now() + pause.value_or(std::chrono::milliseconds(0));
  } catch (const Crash&) {
    alive = false;
  }
  instance.busy = false;
  acting_ = before;
  if (!alive) stop(instance, false);
  throw_if_stopped();
  return alive;
}

void World::throw_if_stopped() const {
  if (!stopped_because_.empty()) throw std::runtime_error("a participant has stopped for good: " + stopped_because_);
}

void World::settle() {
  for (auto before = changes();; before = changes()) {
    for (const auto& instance : instances_)
      for (const auto loop : all_loops) {
        if (!instance->loops || instance->busy || instance->frozen) break;
        // Renewing is a change; whoever is due does it.
        if (loop == Loop::leases && instance->due[0] > clock_.now()) continue;
        step(*instance, loop);
      }
    if (changes() == before) return;
  }
}

void World::advance(std::chrono::milliseconds length) {
  const auto end = clock_.now() + length;
  settle();
  for (auto next = next_moment(); next && *next < end; next = next_moment()) {
    clock_.set(*next);
    settle();
  }
  clock_.set(end);
  settle();
}

std::optional<TimePoint> World::next_moment() {
  auto next = TimePoint::max();
  const auto note = [&](TimePoint time) {
    if (time > clock_.now()) next = std::min(next, time);
  };
  if (const auto due = broker_.next_redelivery()) note(VirtualClock::time_of(*due));
  for (const auto& actor : actors_)
    if (const auto due = actor->store.next_due()) note(*due);
  for (const auto& instance : instances_) {
    if (!instance->loops || instance->busy || instance->frozen) continue;
    note(instance->due[static_cast<std::size_t>(Loop::dispatcher)]);
    if (actors_[instance->actor]->store.unpublished() > 0) note(instance->due[static_cast<std::size_t>(Loop::relay)]);
    // Who has its leases just keeps them; it is the others who wait for a time.
    if (!instance->loops->leases().held(runtime::Relay::lease_name)) note(instance->due[0]);
  }
  return next == TimePoint::max() ? std::nullopt : std::optional(next);
}

std::uint64_t World::changes() const {
  auto changes = broker_.changes();
  for (const auto& actor : actors_) changes += actor->store.commits();
  return changes;
}

std::string World::command(const google::protobuf::Message& command) {
  const auto type = command.GetTypeName();
  for (const auto& actor : actors_)
    for (const auto& step : actor->role.part.declared().steps) {
      if (step.start != contract::Start::command || step.input != type) continue;
      const auto place =
          std::ranges::find_if(actor->instances, [&](auto i) { return instances_[i]->loops != nullptr; });
      if (place == actor->instances.end())
        throw std::runtime_error("when: " + actor->role.part.name() + " is away and takes no command");
      const Edge none;
      runtime::EdgeService edge(actor->role.part, none, store_of(*instances_[*place]),
                                instances_[*place]->loops->relay(), clock_, actor->role.log,
                                actor->role.instruments.metrics, {});
      const std::unique_ptr<google::protobuf::Message> own(command.New());
      own->CopyFrom(command);
      const auto answer = edge.run_once(actor->role.part.step(step.name), *own, new_uuid(), command.SerializeAsString(),
                                        next_traceparent(""));
      google::protobuf::Struct body;
      if (answer.status != 201 || !google::protobuf::util::JsonStringToMessage(answer.body, &body).ok())
        throw std::runtime_error("when: " + type + " was not taken: " + answer.body);
      return body.fields().at("saga_id").string_value();
    }
  throw std::runtime_error("when: " + type + " is a command of nobody who takes part");
}

std::vector<Event> World::recorded(const std::string& saga_id) {
  std::vector<Event> events;
  for (const auto& actor : actors_)
    for (auto& [position, event] : actor->store.begin()->events().read_all({}, std::numeric_limits<std::size_t>::max()))
      if (saga_id.empty() || event.saga_id == saga_id) events.push_back(std::move(event));
  std::ranges::stable_sort(events, {}, [](const Event& event) { return std::tuple(event.recorded_at, event.hops); });
  return events;
}

}  // namespace quadrille::testing
