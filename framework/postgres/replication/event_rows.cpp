#include "postgres/replication/event_rows.hpp"

#include "core/time_text.hpp"
#include "postgres/array_text.hpp"
#include "quadrille/error.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace quadrille::postgres {
namespace {

enum Column : std::size_t {
  position,
  id,
  type,
  source,
  subject,
  category,
  key,
  version,
  saga_id,
  causation_id,
  hops,
  contract,
  traceparent,
  recorded_at,
  payload
};
constexpr std::array<std::string_view, EventRows::column_count> names{
    "position", "id",           "type", "source",   "subject",     "category",    "key",    "version",
    "saga_id",  "causation_id", "hops", "contract", "traceparent", "recorded_at", "payload"};

[[noreturn]] void unreadable(const std::string& why) {
  throw Error(Disposition::retry, "PostgreSQL's replication stream: a row of quadrille.events " + why);
}

template <class Number>
Number number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) unreadable("has a number that is none");
  return value;
}

/// DateStyle ISO and UTC, as the connection is set: `2026-12-01 10:48:11.000123+00`.
TimePoint time(std::string_view text) {
  std::string rfc3339(text);
  const auto space = rfc3339.find(' ');
  if (space == std::string::npos || !rfc3339.ends_with("+00")) unreadable("has a time in an unknown form");
  rfc3339[space] = 'T';
  rfc3339.replace(rfc3339.size() - 3, 3, "Z");
  const auto parsed = from_rfc3339(rfc3339);
  if (!parsed) unreadable("has a time in an unknown form");
  return *parsed;
}

}  // namespace

void EventRows::describe(const pgoutput::Relation& relation) {
  if (relation.schema != "quadrille" || relation.name != "events") return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = std::ranges::find(relation.columns, names[i]);
    if (found == relation.columns.end()) unreadable("lacks the column " + std::string(names[i]));
    places_[i] = static_cast<std::size_t>(found - relation.columns.begin());
  }
  events_ = relation.id;
}

std::optional<Outbox::Entry> EventRows::entry(const pgoutput::Insert& insert) const {
  if (insert.relation != events_) return std::nullopt;
  const auto value = [&](Column column) {
    const auto place = places_[column];
    if (place >= insert.values.size() || !insert.values[place]) unreadable("lacks a value");
    return *insert.values[place];
  };
  const auto text = [&](Column column) { return std::string(value(column)); };
  Outbox::Entry entry;
  entry.position = number<std::uint64_t>(value(position));
  auto& event = entry.event;
  event.id = text(id);
  event.type = text(type);
  event.source = text(source);
  event.subject = text(subject);
  event.stream = {text(category), text(key)};
  event.version = number<std::uint64_t>(value(version));
  event.saga_id = text(saga_id);
  event.causation_id = text(causation_id);
  event.hops = number<std::uint32_t>(value(hops));
  event.contract = text(contract);
  event.traceparent = text(traceparent);
  event.recorded_at = time(value(recorded_at));
  event.payload = from_bytea(value(payload));
  return entry;
}

}  // namespace quadrille::postgres
