#include "rerun/order.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace quadrille::rerun {
namespace {

class Order {
 public:
  Order(const std::vector<Item>& items, const std::map<std::string, Event>& events) : items_(items), events_(events) {
    for (std::size_t i = 0; i < items.size(); ++i)
      for (const auto& event : items[i].recorded) {
        item_of_event_[event.id] = i;
        item_of_version_[{event.stream, event.version}] = i;
      }
  }

  [[nodiscard]] std::set<std::size_t> before(std::size_t index) const {
    std::set<std::size_t> before;
    const auto& item = items_[index];
    if (!item.recorded.empty()) {
      const auto& first = item.recorded.front();
      if (const auto older = item_of_version_.find({first.stream, first.version - 1}); older != item_of_version_.end())
        before.insert(older->second);
    }
    if (item.run && item.run->start != casefile::v1::Run::COMMAND) {
      add_own_causes(item.run->heard.id, before);
      add_heard_before(index, before);
    }
    before.erase(index);
    return before;
  }

 private:
  void add_own_causes(std::string id, std::set<std::size_t>& before) const {
    std::set<std::string> seen;  // broken data may cause itself
    while (!id.empty() && seen.insert(id).second) {
      if (const auto own = item_of_event_.find(id); own != item_of_event_.end()) before.insert(own->second);
      const auto event = events_.find(id);
      if (event == events_.end()) return;
      id = event->second.causation_id;
    }
  }

  void add_heard_before(std::size_t index, std::set<std::size_t>& before) const {
    const auto& run = *items_[index].run;
    if (run.start != casefile::v1::Run::EVENT) return;
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (items_[i].run && items_[i].run->start == casefile::v1::Run::EVENT &&
          items_[i].run->heard.stream == run.heard.stream && items_[i].run->heard.version < run.heard.version)
        before.insert(i);
  }

  const std::vector<Item>& items_;
  const std::map<std::string, Event>& events_;
  std::map<std::string, std::size_t> item_of_event_;
  std::map<std::pair<StreamName, std::uint64_t>, std::size_t> item_of_version_;
};

}  // namespace

std::vector<Item> in_order(std::vector<Item> items, const std::map<std::string, Event>& events) {
  std::ranges::stable_sort(items, {}, &Item::at);
  const Order order(items, events);
  std::vector<std::set<std::size_t>> before;
  for (std::size_t i = 0; i < items.size(); ++i) before.push_back(order.before(i));
  std::set<std::size_t> left;
  for (std::size_t i = 0; i < items.size(); ++i) left.insert(i);
  std::vector<std::size_t> chosen;
  while (!left.empty()) {
    auto next = std::ranges::find_if(left, [&](std::size_t i) {
      return std::ranges::none_of(before[i], [&](std::size_t other) { return left.contains(other); });
    });
    if (next == left.end()) next = left.begin();
    chosen.push_back(*next);
    left.erase(next);
  }
  std::vector<Item> ordered;
  for (const auto index : chosen) ordered.push_back(std::move(items[index]));
  return ordered;
}

}  // namespace quadrille::rerun
