#include "simulation/decision.hpp"

#include <array>
#include <iterator>
#include <random>

namespace simulation {
namespace {

constexpr std::array<const char*, participants> names{"order", "payment", "inventory", "shipping"};
constexpr std::array<const char*, 4> loops{"leases", "dispatcher", "sweeper", "relay"};
constexpr std::array<const char*, moments> places{"before begin",  "before commit", "after commit", "before publish",
                                                  "after publish", "before ack",    "after ack"};

std::string instance(std::size_t index) {
  return std::string(names.at(index / instances_of_each)) + "-" + std::to_string(index % instances_of_each + 1);
}

class Chooser {
 public:
  explicit Chooser(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t end) { return random_() % end; }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most - least + 1));
  }

  Decision step() {
    // Who hears and who publishes is where the races are.
    constexpr std::array<std::size_t, 10> often{0, 0, 1, 1, 1, 1, 2, 3, 3, 3};
    return {Act::step, below(instances), often.at(below(often.size())), 0};
  }
  Decision fault() {
    switch (below(11)) {
      case 0:
        return {Act::crash, below(instances), 0, 0};
      case 1:
        return {Act::start, below(instances), 0, 0};
      case 2:
        return {Act::freeze, below(instances), 0, 0};
      case 3:
        return {Act::wake, below(instances), 0, 0};
      case 4:
        return {Act::crash_at, below(6), below(moments), 0};
      case 5:  // past the leases, and often past the broker's patience
        return {Act::sleep_at, below(6), below(moments), between(5'000, 60'000)};
      case 6:
        return {Act::lose, below(4), 0, between(1, 120'000)};
      case 7:
        return {Act::twice, below(4), 0, 0};
      case 8:
        return {below(2) == 0 ? Act::lose_answers : Act::lose_acks, 0, 0, between(1, 4)};
      case 9:
        return {Act::fail_commit, below(participants), below(2), 0};
      default:  // now and then until its message is parked
        return {Act::fail_step, 0, below(std::size(failing_steps)), below(2) == 0 ? 20 : between(1, 3)};
    }
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace

std::string Decision::text() const {
  const auto ms = std::to_string(number) + " ms";
  const auto nth = std::to_string(who + 1) + ". ";
  switch (act) {
    case Act::place:
      return "place order " + std::to_string(who) + " of customer " + std::to_string(what % 2) + " for " +
             std::to_string(number) + " cents";
    case Act::step:
      return "step " + instance(who) + " " + loops.at(what);
    case Act::advance:
      return "advance " + ms;
    case Act::crash:
      return "crash " + instance(who);
    case Act::start:
      return "start " + instance(who);
    case Act::freeze:
      return "freeze " + instance(who);
    case Act::wake:
      return "wake " + instance(who);
    case Act::crash_at:
      return "crash whoever is the " + nth + places.at(what);
    case Act::sleep_at:
      return "freeze for " + ms + " whoever is the " + nth + places.at(what);
    case Act::lose:
      return "lose the " + nth + "delivery for " + ms;
    case Act::twice:
      return "deliver the " + nth + "delivery twice";
    case Act::lose_answers:
      return "lose the answers to " + std::to_string(number) + " publications";
    case Act::lose_acks:
      return "lose " + std::to_string(number) + " acknowledgements";
    case Act::fail_commit:
      return std::string("fail the next commit of ") + names.at(who) + (what == 0 ? " before" : " after") +
             " it took effect";
    case Act::fail_step:
      return std::string("fail ") + failing_steps[what].participant + "." + failing_steps[what].step + " " +
             std::to_string(number) + " times";
  }
  return "?";
}

Schedule random_schedule(std::uint64_t seed) {
  Chooser choose(seed);
  Schedule schedule;
  const auto length = 20 + choose.below(60);
  const auto sagas = 1 + choose.below(4);
  for (std::size_t order = 0; order < sagas; ++order)
    schedule.push_back({Act::place, order, choose.below(2), choose.between(100, 400)});
  for (std::size_t i = 0; i < length; ++i) {
    const auto kind = choose.below(10);
    if (kind < 6)
      schedule.push_back(choose.step());
    else if (kind < 8)
      schedule.push_back({Act::advance, 0, 0, choose.between(0, choose.below(6) == 0 ? 1'200'000 : 12'000)});
    else
      schedule.push_back(choose.fault());
  }
  return schedule;
}

}  // namespace simulation
