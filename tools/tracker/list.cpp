#include "tracker/list.hpp"

#include "postgres/array_text.hpp"
#include "postgres/session.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace quadrille::tracker {
namespace {

using postgres::Session;

constexpr State every_state[] = {State::running, State::compensating, State::completed, State::cancelled, State::stuck};

/// Where a page ended: the place in the order, and what breaks ties.
struct Cursor {
  std::int64_t time = 0;
  std::string saga_id;
  int part = 0;

  [[nodiscard]] std::string text() const { return std::to_string(time) + "." + std::to_string(part) + "." + saga_id; }
  [[nodiscard]] static Cursor parse(const std::string& text) {
    Cursor cursor;
    const auto* end = text.data() + text.size();
    const auto time = std::from_chars(text.data(), end, cursor.time);
    if (time.ec == std::errc() && time.ptr != end && *time.ptr == '.') {
      const auto part = std::from_chars(time.ptr + 1, end, cursor.part);
      if (part.ec == std::errc() && part.ptr != end && *part.ptr == '.') {
        cursor.saga_id.assign(part.ptr + 1, end);
        return cursor;
      }
    }
    throw Error(Disposition::park, "'" + text + "' is not where a page ended; take `next` of the page before");
  }
};

/// A statement made of fixed pieces; what the caller says is a parameter, always.
class Query {
 public:
  void where(const std::string& condition, std::string value) {
    parameters_.push_back(std::move(value));
    auto text = condition;
    text.replace(text.find('?'), 1, "$" + std::to_string(parameters_.size()));
    conditions_ += (conditions_.empty() ? " WHERE " : " AND ") + text;
  }
  [[nodiscard]] std::string next_parameter(std::string value) {
    parameters_.push_back(std::move(value));
    return "$" + std::to_string(parameters_.size());
  }
  void where_as_is(const std::string& condition) {
    conditions_ += (conditions_.empty() ? " WHERE " : " AND ") + condition;
  }
  [[nodiscard]] const std::string& conditions() const { return conditions_; }
  [[nodiscard]] const std::vector<std::string>& parameters() const { return parameters_; }

 private:
  std::string conditions_;
  std::vector<std::string> parameters_;
};

/// Begins with it, whatever signs it holds.
std::string prefix_pattern(const std::string& text) {
  std::string pattern;
  for (const char c : text) {
    if (c == '%' || c == '_' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern + "%";
}

std::string micros(TimePoint time) { return std::to_string(time.time_since_epoch().count()); }

void narrow(Query& query, const Filter& filter) {
  if (!filter.saga.empty()) query.where("s.saga = ?", filter.saga);
  if (!filter.step.empty()) query.where("w.step = ?", filter.step);
  if (!filter.key.empty()) query.where("s.key LIKE ?", prefix_pattern(filter.key));
  if (!filter.id.empty()) query.where("s.saga_id LIKE ?", prefix_pattern(filter.id));
  if (filter.reason_class)
    query.where("s.stuck_class = ?::smallint", std::to_string(static_cast<int>(*filter.reason_class)));
  if (!filter.error.empty()) query.where("position(?::text in s.error) > 0", filter.error);
  if (filter.started_before) query.where("s.started < ?::bigint", micros(*filter.started_before));
}

/// Not to look where nothing can be: only what is STUCK has an error.
std::vector<State> states_to_look_at(const Filter& filter) {
  std::vector<State> states = filter.states;
  if (states.empty()) states.assign(std::begin(every_state), std::end(every_state));
  if (filter.reason_class || !filter.error.empty())
    std::erase_if(states, [](State state) { return state != State::stuck; });
  return states;
}

std::string from(const Filter& filter) {
  return filter.step.empty() ? " FROM saga s" : " FROM waiting w JOIN saga s USING (saga_id, part)";
}

struct Line {
  Cursor cursor;
  std::string row;
};

void narrow(Query& query, const std::vector<State>& states) {
  std::vector<std::string> numbers;
  for (const auto state : states) numbers.push_back(std::to_string(static_cast<int>(state)));
  if (numbers.size() == 1)
    query.where("s.state = ?::smallint", numbers.front());
  else if (numbers.size() < std::size(every_state))
    query.where("s.state = ANY (?::smallint[])", postgres::array_of(numbers));
}

/// One page of those in these states.
std::vector<Line> lines_of(Session& session, const Filter& filter, const std::vector<State>& states) {
  Query query;
  narrow(query, states);
  narrow(query, filter);
  const std::string time = filter.step.empty() ? "s.started" : "w.since";
  if (!filter.after.empty()) {
    const auto cursor = Cursor::parse(filter.after);
    query.where_as_is("(" + time + ", s.saga_id, s.part) " + (filter.newest_first ? "<" : ">") + " (" +
                      query.next_parameter(std::to_string(cursor.time)) + "::bigint, " +
                      query.next_parameter(cursor.saga_id) + ", " + query.next_parameter(std::to_string(cursor.part)) +
                      "::integer)");
  }
  const std::string way = filter.newest_first ? " DESC" : "";
  const auto limit = query.next_parameter(std::to_string(filter.limit + 1));
  const auto rows = session.run_once("SELECT " + time + ", s.saga_id, s.part, s.summary" + from(filter) +
                                         query.conditions() + " ORDER BY " + time + way + ", s.saga_id" + way +
                                         ", s.part" + way + " LIMIT " + limit + "::bigint",
                                     query.parameters());
  std::vector<Line> lines;
  for (std::size_t i = 0; i < rows.size(); ++i)
    lines.push_back({{rows.number(i, 0), rows.text(i, 1), static_cast<int>(rows.number(i, 2))}, rows.text(i, 3)});
  return lines;
}

}  // namespace

bool is_by_type_and_state(const Filter& filter) {
  return filter.step.empty() && filter.key.empty() && filter.id.empty() && !filter.reason_class &&
         filter.error.empty() && !filter.started_before;
}

Page list(postgres::Pool& pool, const Filter& filter) {
  Session session(pool);
  std::vector<Line> lines;
  const auto states = states_to_look_at(filter);
  if (!filter.step.empty()) {
    lines = lines_of(session, filter, states);  // an index has the waits of a step in order
  } else {
    for (const auto state : states)  // an index has those of one state in order
      for (auto& line : lines_of(session, filter, {state})) lines.push_back(std::move(line));
  }
  const auto order = [](const Line& line) { return std::tie(line.cursor.time, line.cursor.saga_id, line.cursor.part); };
  if (filter.newest_first)
    std::ranges::sort(lines, std::ranges::greater{}, order);
  else
    std::ranges::sort(lines, std::ranges::less{}, order);
  Page page;
  for (auto& line : lines) {
    if (page.rows.size() == filter.limit) break;
    page.rows.push_back(std::move(line.row));
  }
  if (lines.size() > filter.limit) page.next = lines[filter.limit - 1].cursor.text();
  return page;
}

std::uint64_t count(postgres::Pool& pool, const Filter& filter, std::uint64_t most) {
  Session session(pool);
  Query query;
  narrow(query, states_to_look_at(filter));
  narrow(query, filter);
  const auto limit = query.next_parameter(std::to_string(most));
  const auto rows = session.run_once(
      "SELECT count(*) FROM (SELECT 1" + from(filter) + query.conditions() + " LIMIT " + limit + "::bigint) AS found",
      query.parameters());
  return rows.count(0, 0);
}

}  // namespace quadrille::tracker
