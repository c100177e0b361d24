#include "memory/memory_inbox.hpp"

#include <algorithm>
#include <cstdint>

namespace quadrille::memory {
namespace {

bool meets(const WaitingMessage& message, const Inbox::Filter& filter) {
  const auto& ids = filter.message_ids;
  const auto saga = message.message.headers.find("ce-sagaid");
  return (ids.empty() || std::ranges::find(ids, message.message_id) != ids.end()) &&
         (filter.saga_id.empty() || (saga != message.message.headers.end() && saga->second == filter.saga_id)) &&
         message.reason.find(filter.reason) != std::string::npos &&
         filter.reason_class.value_or(message.reason_class) == message.reason_class && (!filter.stuck || message.stuck);
}

}  // namespace

std::vector<bool> MemoryInbox::claim(std::string_view consumer, std::span<const Key> keys) {
  std::vector<bool> claimed;
  for (const auto& key : keys) claimed.push_back(tables_.inbox.emplace(consumer, key.message_id).second);
  return claimed;
}

std::map<StreamName, std::uint64_t> MemoryInbox::applied(std::string_view consumer,
                                                         std::span<const StreamName> streams) {
  std::map<StreamName, std::uint64_t> versions;
  for (const auto& stream : streams)
    if (const auto row = tables_.applied.find({std::string(consumer), stream}); row != tables_.applied.end())
      versions[stream] = row->second;
  return versions;
}

void MemoryInbox::set_applied(std::string_view consumer, const std::map<StreamName, std::uint64_t>& versions) {
  for (const auto& [stream, version] : versions) {
    auto& row = tables_.applied[{std::string(consumer), stream}];
    row = std::max(row, version);
  }
}

std::set<StreamName> MemoryInbox::waiting_streams(std::string_view consumer, std::span<const StreamName> streams) {
  std::set<StreamName> found;
  for (const auto& [place, message] : tables_.waiting)
    if (place.first == consumer && std::ranges::find(streams, message.stream) != streams.end())
      found.insert(message.stream);
  return found;
}

void MemoryInbox::put_waiting(std::string_view consumer, std::span<const WaitingMessage> messages) {
  for (const auto& message : messages) tables_.waiting[{std::string(consumer), message.message_id}] = message;
}

bool MemoryInbox::is_head(const std::string& consumer, const WaitingMessage& message) const {
  return std::ranges::none_of(tables_.waiting, [&](const auto& row) {
    return row.first.first == consumer && row.second.stream == message.stream && row.second.version < message.version;
  });
}

bool MemoryInbox::is_next(const std::string& consumer, const WaitingMessage& message) const {
  const auto row = tables_.applied.find({consumer, message.stream});
  return message.version == (row == tables_.applied.end() ? 0 : row->second) + 1;
}

std::vector<WaitingMessage> MemoryInbox::take_due(std::string_view consumer, TimePoint now, std::size_t limit) {
  const std::string name(consumer);
  std::vector<WaitingMessage> due;
  for (const auto& [place, message] : tables_.waiting) {
    if (place.first != name || message.state == Waiting::parked || !is_head(name, message)) continue;
    if (message.due_at <= now || (message.state == Waiting::gap && is_next(name, message))) due.push_back(message);
  }
  std::ranges::stable_sort(due, {}, &WaitingMessage::due_at);
  if (due.size() > limit) due.resize(limit);
  return due;
}

void MemoryInbox::remove_waiting(std::string_view consumer, std::span<const std::string> message_ids) {
  for (const auto& id : message_ids) tables_.waiting.erase({std::string(consumer), id});
}

std::vector<WaitingMessage> MemoryInbox::look(std::string_view consumer, const Filter& filter, std::size_t limit) {
  std::vector<WaitingMessage> found;
  for (const auto& [place, message] : tables_.waiting)
    if (place.first == consumer && meets(message, filter)) found.push_back(message);
  std::ranges::stable_sort(found, {}, &WaitingMessage::first_failed_at);
  if (found.size() > limit) found.resize(limit);
  return found;
}

std::set<std::string> MemoryInbox::claimed(std::string_view consumer, std::span<const std::string> message_ids) {
  std::set<std::string> found;
  for (const auto& id : message_ids)
    if (tables_.inbox.contains({std::string(consumer), id})) found.insert(id);
  return found;
}

std::optional<WaitingMessage> MemoryInbox::find_waiting(std::string_view consumer, std::string_view message_id) {
  const auto row = tables_.waiting.find({std::string(consumer), std::string(message_id)});
  if (row == tables_.waiting.end()) return std::nullopt;
  return row->second;
}

std::optional<std::uint64_t> MemoryInbox::oldest_waiting(std::string_view consumer, const StreamName& stream) {
  std::optional<std::uint64_t> oldest;
  for (const auto& [place, message] : tables_.waiting)
    if (place.first == consumer && message.stream == stream)
      oldest = std::min(oldest.value_or(message.version), message.version);
  return oldest;
}

std::map<std::string, std::string> MemoryInbox::note_durables(const std::map<std::string, std::string>& made) {
  std::map<std::string, std::string> noted;
  for (const auto& durable : made) noted.insert(*tables_.beginnings.insert(durable).first);
  return noted;
}

std::vector<Inbox::Count> MemoryInbox::count_waiting(std::string_view consumer, std::uint64_t most) {
  std::vector<Count> counts;
  std::uint64_t seen = 0;
  for (const auto& [place, message] : tables_.waiting) {
    if (place.first != consumer || ++seen > most) continue;
    const auto same = std::ranges::find_if(counts, [&message = message](const Count& count) {
      return count.state == message.state && count.stuck == message.stuck && count.reason_class == message.reason_class;
    });
    if (same != counts.end())
      ++same->messages;
    else
      counts.push_back({message.state, message.stuck, message.reason_class, 1});
  }
  return counts;
}

}  // namespace quadrille::memory
