#pragma once

#include "memory/memory_broker.hpp"
#include "memory/memory_store.hpp"
#include "runtime/loops.hpp"
#include "runtime/part.hpp"
#include "runtime/polling_source.hpp"
#include "telemetry/instruments.hpp"
#include "telemetry/log.hpp"
#include "testing/virtual_clock.hpp"
#include "testing/witness.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::testing {

/// A participant made ready to run in a World; may run in one after the other.
class Role {
 public:
  explicit Role(Participant& participant, const std::map<std::string, std::chrono::milliseconds>& timeouts = {});

  Witness witness;
  runtime::Part part;
  telemetry::Instruments instruments;
  telemetry::Log log;
};

/// The end of an instance, thrown where it happens. Nothing but the World catches it.
struct Crash {};

/// Instances of participants on ports in memory and virtual time, one step of one loop at a time: the loops are the
/// runtime's own. Used by one thread.
class World : public runtime::Stopper {
 public:
  struct Settings {
    std::chrono::milliseconds lease_time{10'000};
    runtime::RetryPolicy retry;
    std::size_t batch = 100;
  };
  enum class Loop { leases, dispatcher, sweeper, relay };
  static constexpr std::array all_loops{Loop::leases, Loop::dispatcher, Loop::sweeper, Loop::relay};

  struct Instance {
    std::size_t actor = 0;
    std::string name;
    std::unique_ptr<OutboxSource> source;
    std::unique_ptr<runtime::Loops> loops;  ///< absent: not running
    std::array<TimePoint, 4> due{};         ///< by loop
    bool busy = false;                      ///< a step of it is under way
    bool frozen = false;                    ///< its process does not get on
  };
  struct Actor {
    Actor(Role& its_role, const Clock& clock) : role(its_role), store(clock) {}
    Role& role;
    memory::MemoryStore store;
    std::vector<std::size_t> instances;
  };

  World() : World(Settings{}) {}
  explicit World(const Settings& settings);
  ~World() override = default;

  /// Adds a participant with as many instances, running. The role outlives the World.
  void add(Role& role, std::size_t instances = 1);
  [[nodiscard]] std::vector<std::unique_ptr<Actor>>& actors() { return actors_; }
  [[nodiscard]] std::vector<std::unique_ptr<Instance>>& instances() { return instances_; }
  /// Throws std::runtime_error that names those there are.
  [[nodiscard]] Actor& actor(const std::string& participant);
  [[nodiscard]] memory::MemoryBroker& broker() { return broker_; }
  [[nodiscard]] VirtualClock& clock() { return clock_; }
  /// The instance whose step is under way; nullptr between steps.
  [[nodiscard]] Instance* acting() const { return acting_; }

  void start(Instance& instance);
  /// Ends its process; `leases_given_back`: in good order.
  void stop(Instance& instance, bool leases_given_back);
  /// One step of one loop. False when the instance ended with a Crash.
  bool step(Instance& instance, Loop loop);
  /// Steps all who can until nothing changes any more. Time stands still.
  void settle();
  /// Everything that is due until then, each at its time.
  void advance(std::chrono::milliseconds length);
  /// When something is due next; nothing: never, if nobody does anything.
  [[nodiscard]] std::optional<TimePoint> next_moment();
  /// Grows with everything that happens.
  [[nodiscard]] std::uint64_t changes() const;
  /// Runs a command's step at the first running instance of its participant, as an edge does; the saga's id.
  std::string command(const google::protobuf::Message& command);

  /// All events of a saga, or of all, as they were recorded: by time, then by distance from the beginning.
  [[nodiscard]] std::vector<Event> recorded(const std::string& saga_id = {});

 protected:
  /// What an instance works on. Whoever puts something in between ends the instances before it.
  [[nodiscard]] virtual Store& store_of(const Instance& instance) { return actors_[instance.actor]->store; }
  [[nodiscard]] virtual Broker& broker_of(const Instance&) { return broker_; }

 private:
  void stop_because(const std::string& reason) override { stopped_because_ = reason; }
  void throw_if_stopped() const;
  [[nodiscard]] std::optional<std::chrono::milliseconds> go_round(Instance& instance, Loop loop);

  const Settings settings_;
  VirtualClock clock_;
  memory::MemoryBroker broker_{clock_};
  std::vector<std::unique_ptr<Actor>> actors_;
  std::vector<std::unique_ptr<Instance>> instances_;  ///< end before what they work on
  Instance* acting_ = nullptr;
  std::string stopped_because_;
};

}  // namespace quadrille::testing
