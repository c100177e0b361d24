#include "rerun/bench.hpp"

#include "quadrille/error.hpp"
#include "rerun/compare.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace quadrille::rerun {
namespace {

bool is_failure(const runtime::Part& part, const Event& recorded) {
  return std::ranges::any_of(today(part, {recorded}),
                             [&](const Event& event) { return part.event_type(event.type).failure; });
}

}  // namespace

Did Bench::run(const PlannedRun& planned, const std::vector<Event>& recorded, TimePoint at, Keep keep) {
  Did did;
  did.watch.outcome_recorded = !recorded.empty();
  did.watch.said_no = std::ranges::any_of(recorded, [&](const Event& event) { return is_failure(part_, event); });
  participant_.watch(did.watch);
  const auto ledger = participant_.ledger();
  clock_.set(at);
  auto transaction = store_.begin();
  try {
    runtime::UnitOfWork unit(part_, *transaction, {}, at);
    unit.run(*planned.step, *planned.trigger, planned.cause);
    for (const auto& [key, events] : unit.said()) did.said.insert(did.said.end(), events.begin(), events.end());
    if (keep == Keep::own) unit.flush();
  } catch (const Error& error) {
    did.error = error.what();
    did.later = error.disposition() == Disposition::retry;
  } catch (const std::exception& error) {
    did.error = error.what();
    did.later = true;
  }
  const bool failed = !did.error.empty();
  if (failed || (keep == Keep::silent && !did.said.empty())) {
    participant_.ledger() = ledger;
    transaction.reset();  // what it did before it threw is void
    if (keep == Keep::recorded) append(recorded, at);
    return did;
  }
  if (keep == Keep::recorded) transaction->events().append(recorded);
  transaction->commit();
  keys_.insert(planned.cause.key);
  return did;
}

void Bench::append(const std::vector<Event>& events, TimePoint at) {
  clock_.set(at);
  const auto transaction = store_.begin();
  transaction->events().append(events);
  transaction->commit();
  for (const auto& event : events) keys_.insert(event.stream.key);
}

bool Bench::continues(const std::vector<Event>& events) {
  const auto& first = events.front();
  const auto histories = store_.begin()->events().load(std::span(&first.stream, 1));
  const auto history = histories.find(first.stream);
  return first.version == (history == histories.end() ? 0 : history->second.back().version) + 1;
}

std::vector<Deadline> Bench::armed() {
  constexpr std::size_t all = 1'000'000;
  return store_.begin()->deadlines().take_due(TimePoint::max(), all);
}

void Bench::disarm(const std::string& id) {
  const auto transaction = store_.begin();
  transaction->deadlines().remove(id);
  transaction->commit();
}

void Bench::describe(casefile::v1::Report& report) {
  const auto transaction = store_.begin();
  for (const auto& key : keys_) {
    const auto stream = part_.stream_of(key);
    const auto histories = transaction->events().load(std::span(&stream, 1));
    const auto history = histories.find(stream);
    if (history == histories.end()) continue;
    auto& standing = *report.add_standing();
    standing.set_stream(stream.text());
    standing.set_version(history->second.back().version);
    *standing.mutable_last() = to_said(part_, history->second.back());
  }
  for (const auto& [name, resource] : participant_.ledger())
    if (resource.held() != 0 || resource.taken() != 0 || resource.added() != 0) *report.add_resource() = resource;
}

}  // namespace quadrille::rerun
