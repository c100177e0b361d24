#include "cases/vary.hpp"

#include "cases/set_field.hpp"
#include "core/short_name.hpp"
#include "core/timestamp.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace quadrille::cases {
namespace {

struct Heard {
  std::string id;
  std::string type;
  TimePoint at;
};

bool is_meant(const Change& change, const casefile::v1::Case& one, const casefile::v1::RecordedEvent& event) {
  return event.saga_id() == one.header().saga_id() &&
         (event.id() == change.event || short_name(event.type()) == change.event);
}

const char* name_of(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::drop:
      return "without ";
    case Change::Kind::twice:
      return "twice ";
    case Change::Kind::first:
      return "first ";
    case Change::Kind::delay:
      return "later ";
    case Change::Kind::set:
      return "with ";
  }
  return "";
}

void apply(const Change& change, std::vector<Heard>& heard) {
  std::vector<Heard> first;
  std::vector<Heard> rest;
  const auto begin = heard.empty() ? TimePoint{} : heard.front().at;
  for (auto& one : heard) {
    const bool meant = one.id == change.event || one.type == change.event;
    if (meant && change.kind == Change::Kind::drop) continue;
    if (meant && change.kind == Change::Kind::twice) rest.push_back(one);
    if (meant && change.kind == Change::Kind::delay) one.at += change.later;
    const bool to_front = meant && change.kind == Change::Kind::first;
    if (to_front) one.at = begin;
    (to_front ? first : rest).push_back(std::move(one));
  }
  first.insert(first.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  std::ranges::stable_sort(first, {}, &Heard::at);
  heard = std::move(first);
}

}  // namespace

Change Change::parse_set(const std::string& text) {
  const auto equals = text.find('=');
  const auto dot = text.find('.');
  if (equals == std::string::npos || dot == 0 || dot == std::string::npos || dot + 1 >= equals)
    throw std::runtime_error("--set '" + text + "' is not EVENT.FIELD=VALUE, such as StockReserved.quantity=2");
  return {Kind::set, text.substr(0, dot), {}, text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1)};
}

casefile::v1::Variation hearing(const casefile::v1::Case& one, const std::vector<Change>& changes) {
  std::vector<Heard> heard;
  for (const auto& event : one.event())
    if (event.saga_id() == one.header().saga_id())
      heard.push_back({event.id(), short_name(event.type()), to_time(event.recorded_at())});
  casefile::v1::Variation variation;
  std::string name;
  for (const auto& change : changes) {
    apply(change, heard);
    name += (name.empty() ? "" : ", ") + std::string(name_of(change.kind)) + change.event;
    if (change.kind == Change::Kind::set) name += "." + change.field + "=" + change.value;
  }
  variation.set_name(name);
  for (const auto& event : heard) {
    auto& hears = *variation.add_hears();
    hears.set_event_id(event.id);
    *hears.mutable_at() = to_timestamp(event.at);
  }
  return variation;
}

void set_fields(casefile::v1::Case& one, const std::vector<Change>& changes) {
  for (const auto& change : changes)
    for (auto& event : *one.mutable_event())
      if (change.kind == Change::Kind::set && is_meant(change, one, event))
        event.set_payload(with_field(one, event, change.field, change.value));
}

casefile::v1::Case vary(casefile::v1::Case one, const std::string& participant, const std::vector<Change>& changes) {
  for (const auto& change : changes)
    if (std::ranges::none_of(one.event(), [&](const auto& event) { return is_meant(change, one, event); }))
      throw std::runtime_error("the case holds no event '" + change.event +
                               "'; name one by its id or by its type without the package, as `case show` has them");
  auto variation = hearing(one, changes);
  variation.set_participant(participant);
  *one.mutable_header()->mutable_variation() = std::move(variation);
  set_fields(one, changes);
  return one;
}

}  // namespace quadrille::cases
