#include "runtime/sweeper.hpp"

#include "core/uuid.hpp"
#include "quadrille/error.hpp"
#include "runtime/step_failed.hpp"

#include <algorithm>
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
                 Stopper& stopper, Settings settings)
    : part_(part), store_(store), relay_(relay), clock_(clock), log_(log), stopper_(stopper), settings_(settings) {
  thread_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
}

Sweeper::~Sweeper() {
  thread_.request_stop();
  thread_.join();
}

void Sweeper::run(const std::stop_token& stopping) {
  auto next_housekeeping = std::chrono::steady_clock::now();
  while (!stopping.stop_requested()) {
    try {
      if (sweep() > 0) continue;
      if (std::chrono::steady_clock::now() >= next_housekeeping) {
        next_housekeeping = std::chrono::steady_clock::now() + settings_.housekeeping;
        keep_house();
      }
    } catch (const Error& error) {
      if (error.disposition() == Disposition::stop) return stopper_.stop_because(error.what());
      log_.warn(std::string("sweeper: ") + error.what());
    }
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stopping, settings_.interval, [] { return false; });
  }
}

std::size_t Sweeper::sweep() {
  auto transaction = store_.begin();
  const auto due = transaction->deadlines().take_due(clock_.now(), settings_.batch);
  if (due.empty()) return 0;
  try {
    UnitOfWork unit(part_, *transaction, settings_.limits, clock_.now());
    std::set<std::string> keys;
    for (const auto& deadline : due) keys.insert(deadline.key);
    unit.load(keys);
    for (std::size_t i = 0; i < due.size(); ++i) {
      failing_as(i, [&] { run_timer(due[i], unit); });
      transaction->deadlines().remove(due[i].id);
    }
    const bool recorded = unit.recorded_anything();
    unit.flush();
    transaction->commit();
    if (recorded) relay_.wake();
  } catch (const VersionConflict& conflict) {
    log_.debug(conflict.what());
  } catch (const StepFailed& failed) {
    transaction.reset();  // rolls back and unlocks them
    put_off(due[failed.index], failed.reason);
  }
  return due.size();
}

void Sweeper::keep_house() {
  store_.maintain();
  const auto transaction = store_.begin();
  constexpr std::size_t named_at_most = 20;
  for (const auto& hold : transaction->quantities().expired(clock_.now(), named_at_most))
    log_.warn(std::to_string(hold.amount) + " of " + hold.resource + " is held past its time", {.saga = hold.holder});
}

void Sweeper::run_timer(const Deadline& deadline, UnitOfWork& unit) const {
  const v1::Timer timer;
  const auto result =
      unit.run(part_.step(deadline.step), timer,
               {deadline.key, deadline.saga_id, deadline.causation_id, deadline.hops, deadline.traceparent});
  log_.debug(result.recorded.empty() ? "timer came too late to matter" : "timer decided", about(deadline));
}

void Sweeper::put_off(Deadline deadline, const std::string& reason) {
  ++deadline.attempts;
  deadline.due_at = clock_.now() + settings_.backoff.delay(deadline.attempts);
  log_.warn("timer step failed " + std::to_string(deadline.attempts) + " times, tried again later: " + reason,
            about(deadline));
  const auto transaction = store_.begin();
  transaction->deadlines().put_off(deadline);
  transaction->commit();
}

}  // namespace quadrille::runtime
