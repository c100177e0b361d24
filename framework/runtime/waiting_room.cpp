#include "runtime/waiting_room.hpp"

#include "core/envelope.hpp"
#include "core/reason.hpp"
#include "core/trace_context.hpp"
#include "quadrille/error.hpp"
#include "runtime/gate.hpp"
#include "runtime/step_failed.hpp"
#include "telemetry/instruments.hpp"

#include <optional>
#include <span>

namespace quadrille::runtime {
namespace {

/// Empty for what was parked because it cannot be read.
std::optional<Event> readable(const Message& message) {
  try {
    return to_event(message);
  } catch (const Error&) {
    return std::nullopt;
  }
}

telemetry::Fields about(const WaitingMessage& message) {
  const auto event = readable(message.message);
  if (!event) return {.event = message.message_id};
  return {.saga = event->saga_id,
          .step = message.step,
          .event = event->id,
          .type = event->type,
          .trace = trace_id(event->traceparent)};
}

}  // namespace

WaitingRoom::Progress WaitingRoom::handle_next() {
  const telemetry::Stopwatch watch;
  auto transaction = store_.begin();
  const auto due = transaction->inbox().take_due(part_.name(), clock_.now(), 1);
  if (due.empty()) return Progress::nothing_due;
  const auto& message = due.front();
  try {
    UnitOfWork unit(part_, *transaction, limits_, clock_.now());
    auto recorded = handle(*transaction, message, unit);
    transaction->inbox().remove_waiting(part_.name(), std::span(&message.message_id, 1));
    if (message.stuck) {
      recorded |= say_resumed(*transaction, speaker(), message, v1::StepResumed::HANDLED, "", clock_.now());
      ++unit.tally().resumed;
      log_.info("no longer stuck", about(message));
    }
    transaction->commit();
    unit.tally().report(metrics_);
    metrics_.observe(telemetry::Histogram::transaction_duration, watch.seconds(), {"waiting"});
    return recorded ? Progress::recorded : Progress::handled;
  } catch (const VersionConflict&) {
    metrics_.add(telemetry::Counter::version_conflicts);
    return Progress::handled;  // its aggregate has moved: next time on its new state
  } catch (const StepFailed& failed) {
    transaction.reset();  // rolls back and unlocks the message
    return note_failure(message, failed.failure);
  }
}

bool WaitingRoom::handle(Transaction& transaction, const WaitingMessage& message, UnitOfWork& unit) {
  if (message.stream.category.empty()) {
    handle_alone(message, unit);
  } else {
    Gate gate(transaction.inbox(), part_.name(), std::span(&message.stream, 1));
    gate.release(message.stream);
    const auto verdict = gate.judge(message.stream, message.version);
    // The older versions were published before this participant began to listen: it starts with what it hears first.
    const bool begins_here =
        verdict == Gate::Verdict::gap && gate.first_sight(message.stream) && !part_.declared().from_beginning;
    if (verdict == Gate::Verdict::gap && !begins_here)
      throw StepFailed(0, {message.reason + " and none came within " + std::to_string(retry_.gap_wait.count()) + " ms",
                           ReasonClass::contract,
                           true,
                           {}});
    if (verdict == Gate::Verdict::old) {
      ++unit.tally().stale;
      return false;
    }
    failing_as(0, unit, [&] {
      handler_.handle(to_event(message.message), unit);
      unit.flush();
    });
    gate.pass(message.stream, message.version);
    gate.store();
  }
  return unit.recorded_anything();
}

void WaitingRoom::handle_alone(const WaitingMessage& message, UnitOfWork& unit) {
  failing_as(0, unit, [&] {
    const auto event = to_event(message.message);
    if (!part_.knows(event.type)) static_cast<void>(part_.parse(event.type, event.payload));  // says so
    handler_.handle(event, unit);
    unit.flush();
  });
}

WaitingRoom::Progress WaitingRoom::note_failure(const WaitingMessage& message, const Failure& failure) {
  // The failed transaction's lock is gone, so note the failure only if the message still waits.
  const auto transaction = store_.begin();
  auto due = transaction->inbox().take_due(part_.name(), clock_.now(), 1);
  if (due.empty() || due.front().message_id != message.message_id) return Progress::handled;
  auto& again = due.front();
  const auto event = readable(again.message);
  const bool stuck = retry_.note_failure(again, failure, event && handler_.compensates(*event), clock_.now());
  if (again.state == Waiting::parked)
    log_.error("parked after " + std::to_string(again.attempts) + " attempts: " + failure.reason, about(again));
  else if (stuck)
    log_.error("compensation failed " + std::to_string(again.attempts) + " times, tried on: " + failure.reason,
               about(again));
  else
    log_.warn("failed " + std::to_string(again.attempts) + " times, tried again later: " + failure.reason,
              about(again));
  transaction->inbox().put_waiting(part_.name(), std::span(&again, 1));
  const bool recorded = stuck && say_stuck(*transaction, speaker(), again, clock_.now());
  transaction->commit();
  metrics_.add(again.state == Waiting::parked ? telemetry::Counter::messages_parked : telemetry::Counter::step_retries,
               {name_of(again.reason_class)});
  return recorded ? Progress::recorded : Progress::handled;
}

}  // namespace quadrille::runtime
