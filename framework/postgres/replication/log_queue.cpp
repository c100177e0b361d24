#include "postgres/replication/log_queue.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace quadrille::postgres {

std::size_t LogQueue::size_of(const Logged& logged) {
  const auto& event = logged.entry.event;
  return event.payload.size() + event.type.size() + event.subject.size() + event.stream.key.size() + sizeof(Item);
}

void LogQueue::add(Logged logged) {
  ++entries_;
  bytes_ += size_of(logged);
  items_.push_back({std::move(logged), 0});
}

void LogQueue::reached(Lsn end) {
  if (items_.empty())
    confirmed_ = std::max(confirmed_, end);
  else if (items_.back().end != 0)  // nothing between: one place is enough
    items_.back().end = std::max(items_.back().end, end);
  else
    items_.push_back({std::nullopt, end});
}

std::vector<LogQueue::Logged> LogQueue::oldest(std::size_t limit) const {
  std::vector<Logged> found;
  for (const auto& item : items_) {
    if (found.size() >= limit) break;
    if (item.logged) found.push_back(*item.logged);
  }
  return found;
}

void LogQueue::settle(std::span<const std::uint64_t> positions) {
  const std::unordered_set<std::uint64_t> settled(positions.begin(), positions.end());
  std::size_t left = settled.size();
  for (auto& item : items_) {
    if (left == 0) break;
    if (!item.logged || !settled.contains(item.logged->entry.position)) continue;
    --entries_;
    bytes_ -= size_of(*item.logged);
    item.logged.reset();
    --left;
  }
  forget_settled();
}

void LogQueue::forget_settled() {
  while (!items_.empty() && !items_.front().logged) {
    confirmed_ = std::max(confirmed_, items_.front().end);
    items_.pop_front();
  }
}

}  // namespace quadrille::postgres
