#include "runtime/waiting_room.hpp"

#include "core/envelope.hpp"
#include "core/uuid.hpp"
#include "quadrille/error.hpp"
#include "runtime/gate.hpp"
#include "runtime/step_failed.hpp"

#include <span>

namespace quadrille::runtime {

WaitingRoom::Progress WaitingRoom::handle_next() {
  auto transaction = store_.begin();
  const auto due = transaction->inbox().take_due(part_.name(), clock_.now(), 1);
  if (due.empty()) return Progress::nothing_due;
  try {
    const auto progress = handle(*transaction, due.front());
    transaction->commit();
    return progress;
  } catch (const VersionConflict&) {
    return Progress::handled;  // its aggregate has moved: next time on its new state
  } catch (const StepFailed& failed) {
    transaction.reset();  // rolls back and unlocks the message
    note_failure(due.front(), failed.reason, failed.hopeless);
    return Progress::handled;
  }
}

WaitingRoom::Progress WaitingRoom::handle(Transaction& transaction, const WaitingMessage& message) {
  auto& inbox = transaction.inbox();
  Gate gate(inbox, part_.name(), std::span(&message.stream, 1));
  gate.release(message.stream);
  const auto verdict = gate.judge(message.stream, message.version);
  // The older versions were published before this participant began to listen: it starts with what it hears first.
  const bool begins_here =
      verdict == Gate::Verdict::gap && gate.first_sight(message.stream) && !part_.declared().from_beginning;
  if (verdict == Gate::Verdict::gap && !begins_here)
    throw StepFailed(0, message.reason + " and none came within " + std::to_string(retry_.gap_wait.count()) + " ms",
                     true);
  bool recorded = false;
  if (verdict != Gate::Verdict::old) {
    UnitOfWork unit(part_, transaction, limits_, clock_.now());
    failing_as(0, [&] { handler_.handle(to_event(message.message), unit); });
    recorded = unit.recorded_anything();
    unit.flush();
    gate.pass(message.stream, message.version);
    gate.store();
  }
  inbox.remove_waiting(part_.name(), std::span(&message.message_id, 1));
  return recorded ? Progress::recorded : Progress::handled;
}

void WaitingRoom::note_failure(const WaitingMessage& message, const std::string& reason, bool hopeless) {
  const auto event = to_event(message.message);
  const telemetry::Fields about{
      .saga = event.saga_id, .event = event.id, .type = event.type, .trace = trace_id(event.traceparent)};
  // The failed transaction's lock is gone, so note the failure only if the message still waits.
  const auto transaction = store_.begin();
  auto due = transaction->inbox().take_due(part_.name(), clock_.now(), 1);
  if (due.empty() || due.front().message_id != message.message_id) return;
  auto& again = due.front();
  retry_.note_failure(again, reason, hopeless, handler_.compensates(event), clock_.now());
  if (again.state == Waiting::parked)
    log_.error("parked after " + std::to_string(again.attempts) + " attempts: " + reason, about);
  else
    log_.warn("failed " + std::to_string(again.attempts) + " times, tried again later: " + reason, about);
  transaction->inbox().put_waiting(part_.name(), std::span(&again, 1));
  transaction->commit();
}

}  // namespace quadrille::runtime
