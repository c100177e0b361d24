#include "tracker/projection.hpp"

#include "core/utf8.hpp"

#include <algorithm>
#include <array>

namespace quadrille::tracker {
namespace {

constexpr std::size_t most_known = 20'000;
constexpr std::size_t at_once = 1'000;

/// No participant of ours can have recorded anything else: its database would not take it.
bool is_storable(const Event& event) {
  return std::ranges::all_of(std::array{&event.id, &event.type, &event.source, &event.stream.category,
                                        &event.stream.key, &event.saga_id, &event.causation_id, &event.contract},
                             [](const std::string* text) { return is_text(*text); });
}

}  // namespace

Projection::Projection(Tables& tables, Choreographies& choreographies, Census* census)
    : tables_(tables), choreographies_(choreographies), census_(census), position_(tables.position()) {
  if (census_ != nullptr) census_->count(tables_.pool());
}

bool Projection::take(std::span<const Recorded> events, const Position& to, TimePoint now) {
  Events by_saga;
  for (const auto& recorded : events)
    if (!recorded.event.saga_id.empty() && is_storable(recorded.event))
      by_saga[recorded.event.saga_id].push_back(&recorded);
  Change change;
  change.to = to;
  return apply(by_saga, std::move(change), now);
}

bool Projection::sweep(TimePoint now) {
  Events late;
  for (const auto& id : tables_.overdue(now, at_once)) late[id];
  if (late.empty()) return false;
  Change change;
  change.to = position_;
  return apply(late, std::move(change), now) && late.size() == at_once;
}

void Projection::count_in(Census& census) {
  whatever_comes_ = false;
  census_ = &census;
  census_->count(tables_.pool());
}

void Projection::contracts_changed() {
  judging_again_ = true;
  judged_up_to_.clear();
}

bool Projection::judge_again(TimePoint now) {
  if (!judging_again_) return false;
  Events open;
  for (const auto& id : tables_.open_sagas(judged_up_to_, at_once)) open[id];
  if (open.size() < at_once) judging_again_ = false;
  if (open.empty()) return false;
  judged_up_to_ = open.rbegin()->first;
  Change change;
  change.to = position_;
  return apply(open, std::move(change), now) && judging_again_;
}

void Projection::begin_anew() {
  known_.clear();
  recent_.clear();
  position_ = tables_.position();
  if (census_ != nullptr) census_->count(tables_.pool());
  in_doubt_ = false;
}

bool Projection::apply(const Events& by_saga, Change change, TimePoint now) {
  if (in_doubt_) {
    begin_anew();
    return false;
  }
  make_known(by_saga);
  change.from = position_;
  std::vector<std::pair<std::vector<Tallied>*, std::vector<Tallied>>> tallies;
  for (const auto& [id, events] : by_saga) {
    auto& entry = known_.at(id);
    bool grown = false;
    for (const auto* recorded : events) {
      const auto added = entry.known.trail.add(*recorded);
      grown = grown || added != Trail::Added::nothing;
      if (added == Trail::Added::event) ++change.passed[{recorded->event.source, recorded->event.type}];
    }
    if (grown) change.trails.push_back(&entry.known.trail);
    if (!grown && !events.empty() && !whatever_comes_) continue;  // nothing new
    if (entry.known.trail.events().empty()) continue;
    const auto choreography = choreographies_.of(spoken_contracts(entry.known.trail));
    std::vector<Tallied> after;
    for (auto& standing : judge(entry.known.trail, choreography.get(), now)) {
      after.push_back(tallied(standing));
      change.standings.push_back(std::move(standing));
    }
    change.sagas.push_back(id);
    tallies.emplace_back(&entry.known.parts, std::move(after));
  }
  bool written = false;
  try {
    written = tables_.write(change);
  } catch (const Error&) {
    in_doubt_ = true;  // whether it was written only the tables know
    throw;
  }
  if (!written) {
    begin_anew();
    return false;
  }
  position_ = change.to;
  if (census_ != nullptr) census_->pass(change.passed);
  for (auto& [before, after] : tallies) {
    if (census_ != nullptr) census_->move(*before, after);
    *before = std::move(after);
  }
  forget_surplus();
  return true;
}

void Projection::forget(TimePoint before) {
  bool forgot = false;
  while (tables_.forget(before, at_once) > 0) forgot = true;
  if (forgot && census_ != nullptr) census_->count(tables_.pool());
}

void Projection::make_known(const Events& by_saga) {
  std::vector<std::string> unknown;
  for (const auto& [id, events] : by_saga) {
    const auto found = known_.find(id);
    if (found == known_.end())
      unknown.push_back(id);
    else
      recent_.splice(recent_.begin(), recent_, found->second.place);
  }
  if (unknown.empty()) return;
  auto loaded = tables_.load(unknown);
  for (const auto& id : unknown) {
    recent_.push_front(id);
    const auto found = loaded.find(id);
    auto known = found == loaded.end() ? Known{Trail(id), {}} : std::move(found->second);
    known_.emplace(id, Entry{std::move(known), recent_.begin()});
  }
}

void Projection::forget_surplus() {
  while (known_.size() > most_known) {
    known_.erase(recent_.back());
    recent_.pop_back();
  }
}

}  // namespace quadrille::tracker
