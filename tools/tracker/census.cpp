#include "tracker/census.hpp"

#include "core/reason.hpp"
#include "postgres/session.hpp"

namespace quadrille::tracker {
namespace {

using postgres::Statement;

constexpr Statement count_states{"count states", "SELECT saga, state, count(*) FROM saga GROUP BY saga, state"};
constexpr Statement count_stuck{"count stuck",
                                "SELECT saga, coalesce(stuck_class, 2), count(*) FROM saga WHERE state = 5 GROUP BY 1, "
                                "2"};
constexpr Statement count_waiting{"count waiting", "SELECT step, count(*) FROM waiting GROUP BY step"};
constexpr Statement read_passed{"read passed", "SELECT participant, event, count FROM passed"};

template <class Map, class Key>
void change(Map& map, const Key& key, std::int64_t amount) {
  const auto entry = map.try_emplace(key, 0).first;
  entry->second += amount;
}

}  // namespace

void Census::count(postgres::Pool& pool) {
  Counts counts;
  postgres::Session session(pool);
  const auto states = session.run(count_states);
  for (std::size_t i = 0; i < states.size(); ++i)
    counts.by_state[{states.text(i, 0), static_cast<State>(states.number(i, 1))}] = states.number(i, 2);
  const auto stuck = session.run(count_stuck);
  for (std::size_t i = 0; i < stuck.size(); ++i)
    counts.stuck[{stuck.text(i, 0), std::string(name_of(static_cast<ReasonClass>(stuck.number(i, 1))))}] =
        stuck.number(i, 2);
  const auto waiting = session.run(count_waiting);
  for (std::size_t i = 0; i < waiting.size(); ++i) counts.waiting[waiting.text(i, 0)] = waiting.number(i, 1);
  const auto passed = session.run(read_passed);
  for (std::size_t i = 0; i < passed.size(); ++i)
    counts.passed[{passed.text(i, 0), passed.text(i, 1)}] = passed.count(i, 2);
  const std::lock_guard lock(mutex_);
  counts_ = std::move(counts);
}

void Census::add(const Tallied& part, std::int64_t amount) {
  change(counts_.by_state, std::pair(part.saga, part.state), amount);
  if (part.state == State::stuck) change(counts_.stuck, std::pair(part.saga, part.stuck_class), amount);
  for (const auto& step : part.steps) change(counts_.waiting, step, amount);
}

void Census::move(const std::vector<Tallied>& before, const std::vector<Tallied>& after) {
  const std::lock_guard lock(mutex_);
  for (const auto& part : before) add(part, -1);
  for (const auto& part : after) add(part, 1);
}

void Census::pass(const std::map<std::pair<std::string, std::string>, std::uint64_t>& events) {
  const std::lock_guard lock(mutex_);
  for (const auto& [what, count] : events) counts_.passed[what] += count;
}

Census::Counts Census::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace quadrille::tracker
