#include "runtime/tally.hpp"

#include "core/reason.hpp"

#include <algorithm>
#include <chrono>

namespace quadrille::runtime {

void Tally::report(const telemetry::Metrics& metrics) const {
  using telemetry::Counter;
  using telemetry::Histogram;
  const auto add = [&](Counter counter, std::uint64_t amount) {
    if (amount > 0) metrics.add(counter, {}, static_cast<double>(amount));
  };
  for (const auto& [what, count] : steps)
    metrics.add(Counter::steps_done, {what.first, what.second}, static_cast<double>(count));
  for (const auto& [step, seconds] : step_seconds) metrics.observe(Histogram::step_duration, seconds, {step});
  // The event's time is the database's, ours may be a little behind it: no latency is below nothing.
  const auto now = std::chrono::system_clock::now();
  for (const auto& [step, times] : triggered) {
    std::vector<double> seconds;
    for (const auto time : times) seconds.push_back(std::max(0.0, std::chrono::duration<double>(now - time).count()));
    metrics.observe(Histogram::step_latency, seconds, {step});
  }
  for (const auto& saga : started) metrics.add(Counter::sagas_started, {saga});
  for (const auto& finish : finished) {
    metrics.add(Counter::sagas_finished, {finish.saga, finish.state});
    if (finish.seconds) metrics.observe(Histogram::saga_duration, *finish.seconds, {finish.saga});
  }
  for (const auto& [reason, count] : retries)
    metrics.add(Counter::step_retries, {name_of(reason)}, static_cast<double>(count));
  for (const auto& [reason, count] : parked)
    metrics.add(Counter::messages_parked, {name_of(reason)}, static_cast<double>(count));
  add(Counter::messages_resumed, resumed);
  add(Counter::inbox_duplicates, duplicates);
  add(Counter::inbox_stale, stale);
  add(Counter::inbox_gaps, gaps);
}

}  // namespace quadrille::runtime
