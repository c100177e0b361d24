#include "postgres/rows.hpp"

#include "postgres/translate.hpp"

#include <libpq-fe.h>

#include <charconv>

namespace quadrille::postgres {
namespace {

constexpr const char* stream_has_moved = "QD001";  // as quadrille.append_or_fail says it

template <class Number>
Number parse(std::string_view text) {
  Number number{};
  const auto* end = text.data() + text.size();
  if (const auto result = std::from_chars(text.data(), end, number); result.ec != std::errc{} || result.ptr != end)
    throw Error(Disposition::stop, "PostgreSQL sent '" + std::string(text) + "' where a number was asked for");
  return number;
}

}  // namespace

void Rows::Clear::operator()(pg_result* result) const { PQclear(result); }

Rows::Rows(pg_result* result) : result_(result) {}

std::size_t Rows::size() const { return static_cast<std::size_t>(PQntuples(result_.get())); }

std::string_view Rows::view(std::size_t row, std::size_t column) const {
  const auto r = static_cast<int>(row);
  const auto c = static_cast<int>(column);
  return {PQgetvalue(result_.get(), r, c), static_cast<std::size_t>(PQgetlength(result_.get(), r, c))};
}

bool Rows::is_null(std::size_t row, std::size_t column) const {
  return PQgetisnull(result_.get(), static_cast<int>(row), static_cast<int>(column)) != 0;
}

std::int64_t Rows::number(std::size_t row, std::size_t column) const { return parse<std::int64_t>(view(row, column)); }

std::uint64_t Rows::count(std::size_t row, std::size_t column) const { return parse<std::uint64_t>(view(row, column)); }

std::vector<SqlRow> Rows::to_sql_rows() const {
  const auto columns = static_cast<std::size_t>(PQnfields(result_.get()));
  std::vector<SqlRow> rows(size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t column = 0; column < columns; ++column)
      rows[row].push_back(is_null(row, column) ? std::nullopt : std::optional(text(row, column)));
  return rows;
}

std::string_view Rows::tag() const { return PQcmdStatus(result_.get()); }

bool Rows::succeeded() const {
  const auto status = PQresultStatus(result_.get());
  return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
}

std::exception_ptr Rows::failure(const char* doing) const {
  if (succeeded() || PQresultStatus(result_.get()) == PGRES_PIPELINE_ABORTED) return {};
  const char* sqlstate = PQresultErrorField(result_.get(), PG_DIAG_SQLSTATE);
  if (sqlstate != nullptr && sqlstate == std::string_view(stream_has_moved))
    return std::make_exception_ptr(VersionConflict(PQresultErrorField(result_.get(), PG_DIAG_MESSAGE_PRIMARY)));
  return std::make_exception_ptr(
      failure_of(doing, sqlstate == nullptr ? "" : sqlstate, PQresultErrorMessage(result_.get())));
}

bool Rows::agreed() const { return PQresultStatus(result_.get()) == PGRES_PIPELINE_SYNC; }

}  // namespace quadrille::postgres
