#include "runtime/batch.hpp"

#include "core/envelope.hpp"
#include "core/trace_context.hpp"
#include "core/utf8.hpp"
#include "quadrille/error.hpp"
#include "runtime/fault_point.hpp"
#include "runtime/supervision.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace quadrille::runtime {
namespace {

/// Deduplicates even what has no readable id: its place in the broker's stream is unique.
std::string inbox_id(const Delivery& delivery) {
  const auto header = delivery.message.headers.find("Nats-Msg-Id");
  if (header != delivery.message.headers.end() && !header->second.empty() && is_text(header->second))
    return header->second;
  return "sequence-" + std::to_string(delivery.sequence);
}

}  // namespace

Batch::Batch(const Part& part, const EventHandler& handler, const RetryPolicy& retry, const telemetry::Log& log,
             const std::vector<Delivery>& deliveries)
    : part_(part), handler_(handler), retry_(retry), log_(log) {
  for (const auto& delivery : deliveries) {
    Item item{.delivery = &delivery, .id = inbox_id(delivery), .event = {}, .unreadable = {}, .failure = {}};
    try {
      item.event = to_event(delivery.message);
    } catch (const Error& error) {
      item.unreadable = error.what();
    }
    items_.push_back(std::move(item));
  }
  // A redelivery may have come in after newer versions of its stream: put each stream's in order, the rest as it came.
  std::map<StreamName, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (items_[i].event) places[items_[i].event->stream].push_back(i);
  for (const auto& [stream, indexes] : places) {
    std::vector<Item> ordered;
    for (const auto index : indexes) ordered.push_back(std::move(items_[index]));
    std::ranges::stable_sort(ordered, {}, [](const Item& item) { return item.event->version; });
    for (std::size_t i = 0; i < indexes.size(); ++i) items_[indexes[i]] = std::move(ordered[i]);
  }
}

void Batch::exclude(std::size_t index, Failure failure) { items_[index].failure = std::move(failure); }

void Batch::run(Transaction& transaction, Rights rights, Limits limits, TimePoint now) {
  flush_.watch([&] {
    handle_all(transaction, rights, limits, now);
    fault_point(FaultPoint::recorded);
    transaction.commit();
  });
}

void Batch::handle_all(Transaction& transaction, Rights rights, Limits limits, TimePoint now) {
  waiting_.clear();
  const auto keys = claims();
  const auto heard = streams();
  const auto decide = aggregates();
  auto start = transaction.start_batch({rights.leases, rights.owner, part_.name(), keys, heard, decide});
  if (!start.leases_held) throw Error(Disposition::retry, "the lease of a lane has gone to another instance");
  fault_point(FaultPoint::claimed);
  auto& inbox = transaction.inbox();
  Gate gate(inbox, part_.name(), std::move(start.applied), std::move(start.waiting));
  UnitOfWork unit(part_, transaction, limits, now);
  unit.fold(decide, start.histories);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (start.claimed[i]) {
      take(i, gate, unit, now);
    } else {
      ++unit.tally().duplicates;
      log_.debug("heard before, dropped", about(items_[i]));
    }
  }
  recorded_anything_ = unit.recorded_anything();
  flush_.at_the_end(unit);
  gate.store();
  tally_ = std::move(unit.tally());
  if (waiting_.empty()) return;
  inbox.put_waiting(part_.name(), waiting_);
  recorded_anything_ |= say_what_is_stuck(transaction, now);
  count_waiting();
}

bool Batch::say_what_is_stuck(Transaction& transaction, TimePoint now) const {
  bool said = false;
  for (const auto& message : waiting_)
    if (message.stuck) said |= say_stuck(transaction, {part_.name(), part_.fingerprint()}, message, now);
  return said;
}

void Batch::count_waiting() {
  for (const auto& message : waiting_) {
    if (message.state == Waiting::gap) ++tally_.gaps;
    if (message.state == Waiting::retry) ++tally_.retries[message.reason_class];
    if (message.state == Waiting::parked) ++tally_.parked[message.reason_class];
  }
}

void Batch::take(std::size_t index, Gate& gate, UnitOfWork& unit, TimePoint now) {
  const auto& item = items_[index];
  if (!item.event) return park(item, item.unreadable, now);
  const auto& event = *item.event;
  switch (gate.judge(event.stream, event.version)) {
    case Gate::Verdict::old:
      ++unit.tally().stale;
      return log_.warn("older than what was applied of its stream, dropped", about(item));
    case Gate::Verdict::behind:
      return wait(item, Waiting::behind, "an older message of stream " + event.stream.text() + " waits", now, now);
    case Gate::Verdict::gap:
      gate.hold_back(event.stream);
      return wait(item, Waiting::gap,
                  "version " + std::to_string(event.version) + " of stream " + event.stream.text() +
                      " came before an older one",
                  now, now + retry_.gap_wait);
    case Gate::Verdict::next:
      break;
  }
  if (item.failure) {
    gate.hold_back(event.stream);
    return wait_after_failure(item, now);
  }
  if (part_.knows(event.type))
    failing_as(index, unit, [&] {
      handler_.handle(event, unit);
      flush_.after_each(unit);
    });
  else  // nothing here could react to it, so it holds back nobody; a person may want to know
    park(item, "event type " + event.type + " is not one this program was built with", now);
  gate.pass(event.stream, event.version);
}

void Batch::wait(const Item& item, Waiting state, const std::string& reason, TimePoint now, TimePoint due_at) {
  WaitingMessage message;
  message.message_id = item.id;
  message.stream = item.event->stream;
  message.version = item.event->version;
  message.state = state;
  message.reason = reason;
  message.first_failed_at = now;
  message.due_at = due_at;
  message.sequence = item.delivery->sequence;
  message.message = item.delivery->message;
  waiting_.push_back(std::move(message));
}

void Batch::park(const Item& item, const std::string& reason, TimePoint now) {
  WaitingMessage message;
  message.message_id = item.id;  // and no stream: it waits alone
  message.state = Waiting::parked;
  message.reason = reason;
  message.reason_class = ReasonClass::contract;
  message.stuck = true;
  message.first_failed_at = message.due_at = now;
  message.message = item.delivery->message;
  log_.error("parked: " + reason, about(item));
  waiting_.push_back(std::move(message));
}

void Batch::wait_after_failure(const Item& item, TimePoint now) {
  WaitingMessage message;
  message.message_id = item.id;
  message.stream = item.event->stream;
  message.version = item.event->version;
  message.sequence = item.delivery->sequence;
  message.message = item.delivery->message;
  const bool stuck = retry_.note_failure(message, *item.failure, handler_.compensates(*item.event), now);
  if (message.state == Waiting::parked)
    log_.error("parked: " + message.reason, about(item));
  else if (stuck)
    log_.error("compensation is stuck, tried again later: " + message.reason, about(item));
  else
    log_.warn("failed, tried again later: " + message.reason, about(item));
  waiting_.push_back(std::move(message));
}

std::vector<Inbox::Key> Batch::claims() const {
  std::vector<Inbox::Key> keys;
  for (const auto& item : items_) keys.push_back({item.id, item.event ? item.event->recorded_at : TimePoint{}});
  return keys;
}

std::vector<StreamName> Batch::streams() const {
  std::set<StreamName> unique;
  for (const auto& item : items_)
    if (item.event) unique.insert(item.event->stream);
  return {unique.begin(), unique.end()};
}

std::vector<StreamName> Batch::aggregates() const {
  std::set<std::string> keys;
  for (const auto& item : items_)
    if (item.event && !item.failure) keys.merge(handler_.keys(*item.event));
  std::vector<StreamName> streams;
  for (const auto& key : keys) std::ranges::copy(part_.streams_of(key), std::back_inserter(streams));
  return streams;
}

telemetry::Fields Batch::about(const Item& item) const {
  if (!item.event) return {.event = item.id};
  return {.saga = item.event->saga_id,
          .event = item.event->id,
          .type = item.event->type,
          .trace = trace_id(item.event->traceparent)};
}

}  // namespace quadrille::runtime
