#include "runtime/sweeper.hpp"

#include "core/reason.hpp"
#include "core/trace_context.hpp"
#include "quadrille/error.hpp"
#include "runtime/fault_point.hpp"
#include "runtime/step_failed.hpp"
#include "runtime/supervision.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace quadrille::runtime {
namespace {

telemetry::Fields about(const Deadline& deadline) {
  return {.saga = deadline.saga_id,
          .step = deadline.step,
          .event = deadline.causation_id,
          .trace = trace_id(deadline.traceparent)};
}

}  // namespace

Sweeper::Sweeper(const Part& part, Store& store, Relay& relay, const Clock& clock, const telemetry::Log& log,
                 telemetry::Instruments& instruments, Stopper& stopper, Settings settings)
    : part_(part),
      store_(store),
      relay_(relay),
      clock_(clock),
      log_(log),
      instruments_(instruments),
      stopper_(stopper),
      settings_(settings),
      next_housekeeping_(clock.steady()),
      next_sample_(next_housekeeping_) {
  if (settings_.drive == Drive::threads)
    thread_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
}

Sweeper::~Sweeper() = default;  // its thread ends first

void Sweeper::run(const std::stop_token& stopping) {
  while (!stopping.stop_requested()) {
    const auto pause = step();
    if (!pause) return;
    if (pause->count() == 0) continue;
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stopping, *pause, [] { return false; });
  }
}

std::optional<std::chrono::milliseconds> Sweeper::step() {
  instruments_.heartbeats.beat(telemetry::Loop::sweeper);
  try {
    if (clock_.steady() >= next_sample_) {
      next_sample_ = clock_.steady() + settings_.sampling;
      sample();
    }
    if (sweep() > 0) return std::chrono::milliseconds(0);
    if (clock_.steady() >= next_housekeeping_) {
      next_housekeeping_ = clock_.steady() + settings_.housekeeping;
      keep_house();
    }
  } catch (const Error& error) {
    if (error.disposition() == Disposition::stop) {
      stopper_.stop_because(error.what());
      return std::nullopt;
    }
    log_.warn(std::string("sweeper: ") + error.what());
  }
  return settings_.interval;
}

std::size_t Sweeper::sweep() {
  const telemetry::Stopwatch watch;
  auto transaction = store_.begin();
  const auto due = transaction->deadlines().take_due(clock_.now(), settings_.batch);
  if (due.empty()) return 0;
  try {
    UnitOfWork unit(part_, *transaction, settings_.limits, clock_.now());
    std::map<std::string, std::uint64_t> late;
    bool recorded = false;
    flush_.watch([&] {
      late = run_timers(due, unit);
      recorded = unit.recorded_anything();
      flush_.at_the_end(unit);
      for (const auto& deadline : due) transaction->deadlines().remove(deadline.id);
      recorded |= say_what_goes_on(*transaction, due);
      fault_point(FaultPoint::timer_recorded);
      transaction->commit();
    });
    fault_point(FaultPoint::timer_over);
    if (recorded) relay_.wake();
    const auto& metrics = instruments_.metrics;
    unit.tally().report(metrics);
    for (const auto& deadline : due) metrics.add(telemetry::Counter::deadlines_fired, {deadline.step});
    for (const auto& [step, count] : late)
      metrics.add(telemetry::Counter::deadlines_late, {step}, static_cast<double>(count));
    metrics.observe(telemetry::Histogram::transaction_duration, watch.seconds(), {"timers"});
  } catch (const VersionConflict& conflict) {
    instruments_.metrics.add(telemetry::Counter::version_conflicts);
    log_.debug(conflict.what());
  } catch (const StepFailed& failed) {
    transaction.reset();  // rolls back and unlocks them
    put_off(due[failed.index], failed.failure);
  }
  return due.size();
}

std::map<std::string, std::uint64_t> Sweeper::run_timers(const std::vector<Deadline>& due, UnitOfWork& unit) const {
  std::set<std::string> keys;
  for (const auto& deadline : due) keys.insert(deadline.key);
  unit.load(keys);
  std::map<std::string, std::uint64_t> late;
  for (std::size_t i = 0; i < due.size(); ++i)
    failing_as(i, unit, [&] {
      late[due[i].step] += run_timer(due[i], unit) ? 0 : 1;
      flush_.after_each(unit);
    });
  return late;
}

bool Sweeper::say_what_goes_on(Transaction& transaction, const std::vector<Deadline>& done) const {
  bool said = false;
  for (const auto& deadline : done) {
    if (deadline.attempts < settings_.max_attempts) continue;
    say_resumed(transaction, {part_.name(), part_.fingerprint()}, stuck_step(deadline), v1::StepResumed::HANDLED, "",
                clock_.now());
    said = true;
  }
  return said;
}

void Sweeper::keep_house() {
  store_.maintain();
  const auto transaction = store_.begin();
  constexpr std::size_t named_at_most = 20;
  for (const auto& hold : transaction->quantities().expired(clock_.now(), named_at_most))
    log_.warn(std::to_string(hold.amount) + " of " + hold.resource + " is held past its time", {.saga = hold.holder});
}

bool Sweeper::run_timer(const Deadline& deadline, UnitOfWork& unit) const {
  const v1::Timer timer;
  const auto result =
      unit.run(part_.step(deadline.step), timer,
               {deadline.key, deadline.saga_id, deadline.causation_id, deadline.hops, deadline.traceparent});
  log_.debug(result.recorded.empty() ? "timer came too late to matter" : "timer decided", about(deadline));
  return !result.recorded.empty();
}

void Sweeper::put_off(Deadline deadline, const Failure& failure) {
  ++deadline.attempts;
  deadline.due_at = clock_.now() + settings_.backoff.delay(deadline.attempts);
  log_.warn("timer step failed " + std::to_string(deadline.attempts) + " times, tried again later: " + failure.reason,
            about(deadline));
  const auto transaction = store_.begin();
  if (!transaction->deadlines().put_off(deadline)) return;  // another instance has been faster
  const bool stuck = deadline.attempts == settings_.max_attempts;
  if (stuck) {
    auto step = stuck_step(deadline);
    step.reason = failure.reason;
    step.reason_class = failure.reason_class;
    say_stuck(*transaction, {part_.name(), part_.fingerprint()}, step, clock_.now());
    log_.error("timer step is stuck, tried on: " + failure.reason, about(deadline));
  }
  transaction->commit();
  if (stuck) relay_.wake();
  instruments_.metrics.add(telemetry::Counter::step_retries, {name_of(failure.reason_class)});
}

void Sweeper::sample() {
  constexpr std::uint64_t most_counted = 100'000;
  constexpr std::size_t most_holds = 1000;
  const auto& metrics = instruments_.metrics;
  metrics.set(telemetry::Gauge::slot_lag, static_cast<double>(settings_.log_kept().value_or(0)));
  const auto transaction = store_.begin();
  const auto backlog = transaction->outbox().backlog(most_counted);
  metrics.set(telemetry::Gauge::outbox_pending, static_cast<double>(backlog.entries));
  const auto age = backlog.oldest ? std::chrono::duration<double>(clock_.now() - *backlog.oldest).count() : 0;
  metrics.set(telemetry::Gauge::outbox_oldest_age, std::max(0.0, age));
  std::map<std::string_view, std::uint64_t> waiting{{"retry", 0}, {"gap", 0}, {"behind", 0}, {"parked", 0}};
  std::map<ReasonClass, std::uint64_t> stuck;
  for (const auto reason : all_reason_classes) stuck[reason] = 0;
  for (const auto& count : transaction->inbox().count_waiting(part_.name(), most_counted)) {
    waiting[name_of(count.state)] += count.messages;
    if (count.stuck) stuck[count.reason_class] += count.messages;
  }
  for (const auto& [state, count] : waiting)
    metrics.set(telemetry::Gauge::waiting_messages, static_cast<double>(count), {state});
  for (const auto& [reason, count] : stuck)
    metrics.set(telemetry::Gauge::stuck_messages, static_cast<double>(count), {name_of(reason)});
  metrics.set(telemetry::Gauge::holds_expired,
              static_cast<double>(transaction->quantities().expired(clock_.now(), most_holds).size()));
}

}  // namespace quadrille::runtime
