#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"
#include "postgres/pool.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::postgres {

/// A statement of ours, of static storage: prepared once a connection under its name.
struct Statement {
  const char* name;
  const char* text;
};

/// The rows of an answer, as text.
class Rows {
 public:
  explicit Rows(std::vector<SqlRow> rows) : rows_(std::move(rows)) {}

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] const std::string& text(std::size_t row, std::size_t column) const {
    return rows_[row][column].value();
  }
  [[nodiscard]] bool is_null(std::size_t row, std::size_t column) const { return !rows_[row][column].has_value(); }
  [[nodiscard]] std::int64_t number(std::size_t row, std::size_t column) const { return std::stoll(text(row, column)); }
  [[nodiscard]] std::uint64_t count(std::size_t row, std::size_t column) const {
    return std::stoull(text(row, column));
  }
  [[nodiscard]] bool truth(std::size_t row, std::size_t column) const { return text(row, column) == "t"; }
  /// A timestamptz selected by `micros(...)`.
  [[nodiscard]] TimePoint time(std::size_t row, std::size_t column) const {
    return TimePoint(std::chrono::microseconds(number(row, column)));
  }
  [[nodiscard]] std::vector<SqlRow> take() && { return std::move(rows_); }

 private:
  std::vector<SqlRow> rows_;
};

/// A time as parameter of `at(...)`: microseconds since 1970.
[[nodiscard]] std::string micros(TimePoint time);

/// One open database transaction: the only place that runs statements. Rolls back unless committed; gives its
/// connection back to the pool unless it is broken. Used by one thread.
class Session {
 public:
  explicit Session(Pool& pool);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Rows run(const Statement& statement, std::span<const std::string> parameters = {});
  Rows run(const Statement& statement, std::initializer_list<std::string> parameters) {
    return run(statement, std::span(parameters.begin(), parameters.size()));
  }
  /// A statement of the service's own; not prepared.
  Rows run_once(std::string_view text, std::span<const std::string> parameters);
  void commit();

 private:
  struct Work;
  enum class Attempt { first, last };
  /// False where the connection turned out to be dead, at the first attempt. Throws Error otherwise.
  bool begin(Attempt attempt);
  /// Rolls back and lets the connection go; whether it can be used again.
  bool failed();

  Pool& pool_;
  ConnectionPtr connection_;
  std::unique_ptr<Work> work_;
};

}  // namespace quadrille::postgres
