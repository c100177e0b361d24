#include "tracker/filter_query.hpp"

#include "core/time_text.hpp"
#include "tracker/question.hpp"

#include <charconv>

namespace quadrille::tracker {
namespace {

constexpr std::size_t most_rows = 1'000;

}  // namespace

Filter filter_of(const http::Request& request, TimePoint now) {
  Filter filter;
  filter.saga = request.asked("saga");
  filter.step = request.asked("step");
  filter.key = request.asked("key");
  filter.id = request.asked("id");
  filter.error = request.asked("error");
  filter.after = request.asked("after");
  filter.newest_first = asked_for(request, "newest");
  const auto [first, last] = request.query.equal_range("state");
  for (auto state = first; state != last; ++state) {
    const auto found = state_of(state->second);
    if (!found) refuse_value("state", state->second, "RUNNING, COMPENSATING, COMPLETED, CANCELLED or STUCK");
    filter.states.push_back(*found);
  }
  if (const auto name = request.asked("class"); !name.empty()) filter.reason_class = reason_class_called("class", name);
  if (const auto age = request.asked("older_than"); !age.empty()) {
    const auto read = duration_from(age);
    if (!read) refuse_value("older_than", age, "a time such as 30s, 15m or 2h");
    filter.started_before = now - *read;
  }
  if (const auto limit = request.asked("limit"); !limit.empty()) {
    const auto read = std::from_chars(limit.data(), limit.data() + limit.size(), filter.limit);
    if (read.ec != std::errc() || read.ptr != limit.data() + limit.size() || filter.limit == 0 ||
        filter.limit > most_rows)
      refuse_value("limit", limit, "a number from 1 to " + std::to_string(most_rows));
  }
  return filter;
}

}  // namespace quadrille::tracker
