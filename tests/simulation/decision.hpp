#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace simulation {

/// Where something may happen to a process in the middle of its step.
enum class Moment { before_begin, before_commit, after_commit, before_publish, after_publish, before_ack, after_ack };
inline constexpr std::size_t moments = 7;

enum class Act {
  place,         ///< order `who` of customer `what % 2`, for `number` cents
  step,          ///< of instance `who`, loop `what`
  advance,       ///< all go on for `number` ms
  crash,         ///< instance `who`, between two steps
  start,         ///< instance `who`, where it does not run
  freeze,        ///< instance `who` does not get on any more
  wake,          ///< instance `who`
  crash_at,      ///< whoever is `who`-th to come to moment `what`
  sleep_at,      ///< the same one does not get on for `number` ms, in the middle of its step
  lose,          ///< the `who`-th delivery from now; it comes again after `number` ms
  twice,         ///< the `who`-th delivery from now
  lose_answers,  ///< to the next `number` publications
  lose_acks,     ///< the next `number`
  fail_commit,   ///< the next one of participant `who`; `what` 1: after it took effect
  fail_step,     ///< step `what` throws the next `number` times
};

/// Plain values: each means the same whatever is left out before it.
struct Decision {
  Act act = Act::step;
  std::size_t who = 0;
  std::size_t what = 0;
  std::int64_t number = 0;

  [[nodiscard]] std::string text() const;
};

using Schedule = std::vector<Decision>;

inline constexpr std::size_t participants = 4;
inline constexpr std::size_t instances_of_each = 2;
inline constexpr std::size_t instances = participants * instances_of_each;

struct FailingStep {
  const char* participant;
  const char* step;
};
inline constexpr FailingStep failing_steps[] = {{"payment", "Authorize"}, {"inventory", "Reserve"},
                                                {"payment", "Capture"},   {"payment", "Void"},
                                                {"order", "Reject"},      {"order", "GiveUp"}};

/// The same for the same seed.
[[nodiscard]] Schedule random_schedule(std::uint64_t seed);

}  // namespace simulation
