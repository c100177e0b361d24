#include "runtime/waiting_room.hpp"

#include "core/envelope.hpp"
#include "core/reason.hpp"
#include "core/subject.hpp"
#include "core/trace_context.hpp"
#include "quadrille/error.hpp"
#include "runtime/fault_point.hpp"
#include "runtime/gate.hpp"
#include "runtime/step_failed.hpp"
#include "telemetry/instruments.hpp"

#include <exception>
#include <optional>
#include <span>
#include <utility>

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

/// Versions before this one have not been applied. Never leaves this file.
struct OlderMissing final : std::exception {
  explicit OlderMissing(bool begin) : may_begin(begin) {}
  bool may_begin;  ///< of its stream nothing was, and the participant starts with new events
};

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
    fault_point(FaultPoint::waiting_recorded);
    transaction->commit();
    fault_point(FaultPoint::waiting_over);
    unit.tally().report(metrics_);
    metrics_.observe(telemetry::Histogram::transaction_duration, watch.seconds(), {"waiting"});
    return recorded ? Progress::recorded : Progress::handled;
  } catch (const VersionConflict&) {
    metrics_.add(telemetry::Counter::version_conflicts);
    return Progress::handled;  // its aggregate has moved: next time on its new state
  } catch (const OlderMissing& missing) {
    transaction.reset();  // the broker may take its time to answer
    return wait_for_older(message, missing.may_begin);
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
    if (verdict == Gate::Verdict::gap) {
      const bool may_begin = gate.first_sight(message.stream) && !part_.declared().from_beginning;
      if (!may_begin || begins_with_ != message.message_id) throw OlderMissing(may_begin);
    }
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

WaitingRoom::Progress WaitingRoom::wait_for_older(const WaitingMessage& message, bool may_begin) {
  const auto& gap_wait = retry_.gap_wait;
  // Also what stood behind a younger one, which came before it.
  if (const auto end = message.first_failed_at + gap_wait; clock_.now() < end) return put_off(message, end);
  auto reason = "version " + std::to_string(message.version) + " of stream " + message.stream.text() +
                " came before an older one and none came within " + std::to_string(gap_wait.count()) + " ms";
  if (may_begin) switch (beginning_.ask(message)) {
      case Beginning::Answer::here:
        begins_with_ = message.message_id;
        return Progress::handled;
      case Beginning::Answer::not_yet:
        log_.info("an older version may still come, waits on", about(message));
        return put_off(message, clock_.now() + gap_wait);
      case Beginning::Answer::not_told:
        reason += "; consumer " + consumer_of(part_.name(), message.message.subject) +
                  " was made anew after this participant had begun, so it may have been published in between";
    }
  return note_failure(message, {std::move(reason), ReasonClass::contract, true, {}});
}

WaitingRoom::Progress WaitingRoom::put_off(const WaitingMessage& message, TimePoint due_at) {
  const auto transaction = store_.begin();
  auto there = transaction->inbox().find_waiting(part_.name(), message.message_id);
  if (!there || there->state == Waiting::parked) return Progress::handled;
  there->state = Waiting::gap;
  there->due_at = due_at;
  transaction->inbox().put_waiting(part_.name(), std::span(&*there, 1));
  transaction->commit();
  return Progress::handled;
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
