#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct pg_result;

namespace quadrille::postgres {

/// An answer and its rows, as text.
class Rows {
 public:
  /// Takes the result over.
  explicit Rows(pg_result* result);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Valid while these rows are; empty for NULL.
  [[nodiscard]] std::string_view view(std::size_t row, std::size_t column) const;
  [[nodiscard]] std::string text(std::size_t row, std::size_t column) const { return std::string(view(row, column)); }
  [[nodiscard]] bool is_null(std::size_t row, std::size_t column) const;
  [[nodiscard]] std::int64_t number(std::size_t row, std::size_t column) const;
  [[nodiscard]] std::uint64_t count(std::size_t row, std::size_t column) const;
  [[nodiscard]] bool truth(std::size_t row, std::size_t column) const { return view(row, column) == "t"; }
  /// A timestamptz selected by `micros(...)`.
  [[nodiscard]] TimePoint time(std::size_t row, std::size_t column) const {
    return TimePoint(std::chrono::microseconds(number(row, column)));
  }
  [[nodiscard]] std::vector<SqlRow> to_sql_rows() const;
  /// Of the command: `COMMIT`, `INSERT 0 1`.
  [[nodiscard]] std::string_view tag() const;

  /// No result at all.
  [[nodiscard]] bool missing() const { return !result_; }
  /// The answer of a command that was carried out.
  [[nodiscard]] bool succeeded() const;
  /// Why it was not; empty also where something before it is the reason. `doing` begins the sentence.
  [[nodiscard]] std::exception_ptr failure(const char* doing) const;
  /// The end of what was asked together.
  [[nodiscard]] bool agreed() const;

 private:
  struct Clear {
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Clear> result_;
};

}  // namespace quadrille::postgres
