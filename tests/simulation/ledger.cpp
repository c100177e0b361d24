#include "simulation/ledger.hpp"

#include "core/subject.hpp"
#include "runtime/dispatcher.hpp"
#include "runtime/relay.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace simulation {

using quadrille::Event;

void Ledger::check(quadrille::Transaction& transaction, const std::string& owner) {
  work.books = books;
  for (const auto& event : work.said) work.books.enter(event);
  if (const auto difference = work.books.difference(transaction.quantities()); !difference.empty())
    history_.find(participant_ + " has lost count of " + difference);
  if (work.outbox_removed) check_lease(transaction.leases(), owner, quadrille::runtime::Relay::lease_name);
  std::set<std::string> lanes;
  for (const auto& id : work.claimed)
    if (const auto event = history_.events.find(id); event != history_.events.end())
      lanes.insert(quadrille::runtime::lane_lease(quadrille::lane_of(event->second.stream.key)));
  for (const auto& lane : lanes) check_lease(transaction.leases(), owner, lane);
}

void Ledger::check_lease(quadrille::Leases& leases, const std::string& owner, const std::string& lease) {
  const auto epoch = epochs.find({owner, lease});
  const quadrille::Lease had{lease, epoch == epochs.end() ? 0 : epoch->second};
  if (!leases.verify(std::span(&had, 1), owner))
    history_.find(owner + " commits under lease " + lease + " that is not its own any more");
}

void Ledger::committed() {
  for (const auto& event : work.said) history_.events[event.id] = event;
  books = work.books;
  for (const auto& id : work.claimed)
    if (!ever_claimed_.insert(id).second) history_.find(participant_ + " took message " + id + " for new twice");
  std::vector<std::string> now = work.claimed;
  std::erase_if(now, [this](const std::string& id) { return work.put_to_wait.contains(id); });
  now.insert(now.end(), work.done_waiting.begin(), work.done_waiting.end());
  handle(now);
  for (const auto& run : work.runs) {
    for (const auto& event : run.said) history_.said[run.saga_id].emplace(participant_ + "." + run.step, event);
    if (!effects_.emplace(run.step, run.trigger, run.saga_id).second)
      history_.find(participant_ + "." + run.step + " ran twice for " + run.trigger + " of saga " + run.saga_id);
  }
  work = {};
}

void Ledger::handle(const std::vector<std::string>& message_ids) {
  std::map<quadrille::StreamName, std::vector<const Event*>> streams;
  for (const auto& id : message_ids)
    if (const auto event = history_.events.find(id); event != history_.events.end())
      streams[event->second.stream].push_back(&event->second);
    else
      history_.find(participant_ + " heard message " + id + " that nobody has committed");
  for (auto& [stream, events] : streams) {
    std::ranges::sort(events, {}, &Event::version);
    for (const auto* event : events) {
      auto& newest = handled_[stream];
      if (event->version != newest + 1)
        history_.find(participant_ + " applied version " + std::to_string(event->version) + " of " + stream.text() +
                      " after version " + std::to_string(newest));
      newest = std::max(newest, event->version);
    }
  }
}

bool Ledger::handled(const Event& event) const {
  const auto newest = handled_.find(event.stream);
  return newest != handled_.end() && newest->second >= event.version;
}

}  // namespace simulation
