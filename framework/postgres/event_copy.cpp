#include "postgres/event_copy.hpp"

#include "postgres/connection.hpp"
#include "postgres/replication/bytes.hpp"
#include "quadrille/error.hpp"

#include <libpq-fe.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace quadrille::postgres {
namespace {

// Below the horizon, as every reader of all events: what commits late is not passed (event_log.cpp).
constexpr const char* copy =
    "COPY (SELECT id, type, source, subject, category, key, version, saga_id, causation_id, hops, contract, "
    "traceparent, recorded_at, payload FROM quadrille.events WHERE tx < pg_snapshot_xmin(pg_current_snapshot()) ORDER "
    "BY tx, position) TO STDOUT (FORMAT binary)";
// The index in commit order is nearly the order on disk, so walking it is much cheaper than sorting everything, which
// the planner prefers: it does not know that nothing is ever deleted or updated.
constexpr const char* walk_the_index = "SET enable_sort = off";
constexpr std::uint16_t columns = 14;
constexpr std::string_view signature{"PGCOPY\n\377\r\n\0", 11};

struct Finish {
  void operator()(PGconn* connection) const { PQfinish(connection); }
  void operator()(PGresult* result) const { PQclear(result); }
  void operator()(char* bytes) const { PQfreemem(bytes); }
};
using Result = std::unique_ptr<PGresult, Finish>;

Error failure(PGconn* connection, const PGresult* result, const char* doing) {
  const char* sqlstate = result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const std::string_view code = sqlstate == nullptr ? "" : sqlstate;
  std::string text = PQerrorMessage(connection);
  text = std::string("PostgreSQL, ") + doing + ": " + text.substr(0, text.find('\n'));
  if (code.starts_with("42"))  // no such table or schema, or no right to read it
    return {Disposition::stop, text +
                                   "; is setting database_url a participant's database, and its role a member of "
                                   "quadrille_service?"};
  return {Disposition::retry, text};
}

void field(ByteReader& row, std::string& into) {
  const auto length = static_cast<std::int32_t>(row.u32());
  into = length < 0 ? std::string_view() : row.bytes(static_cast<std::size_t>(length));
}

std::int64_t number(ByteReader& row) {
  return row.u32() == sizeof(std::uint64_t) ? static_cast<std::int64_t>(row.u64())
                                            : static_cast<std::int64_t>(row.u32());
}

void uuid(ByteReader& row, std::string& into) {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::string_view form = "xx-x-x-x-xxx";  // an x is two bytes
  const auto bytes = row.bytes(row.u32());
  into.clear();
  std::size_t next = 0;
  for (const char c : form) {
    if (c == '-') {
      into += c;
      continue;
    }
    for (const auto end = next + 2; next < end && next < bytes.size(); ++next) {
      const auto byte = static_cast<unsigned char>(bytes[next]);
      into += digits[byte >> 4U];
      into += digits[byte & 0xfU];
    }
  }
}

TimePoint time(ByteReader& row) {
  constexpr std::chrono::seconds year_2000{946'684'800};
  return TimePoint(year_2000 + std::chrono::microseconds(number(row)));
}

/// Into an event that was there before: no memory is needed for each.
void read(ByteReader& row, Event& event) {
  uuid(row, event.id);
  field(row, event.type);
  field(row, event.source);
  field(row, event.subject);
  field(row, event.stream.category);
  field(row, event.stream.key);
  event.version = static_cast<std::uint64_t>(number(row));
  field(row, event.saga_id);
  field(row, event.causation_id);
  event.hops = static_cast<std::uint32_t>(number(row));
  field(row, event.contract);
  field(row, event.traceparent);
  event.recorded_at = time(row);
  field(row, event.payload);
}

}  // namespace

void copy_events(const PostgresSettings& settings, const std::function<void(const Event&)>& take) {
  auto patient = settings;
  patient.statement_timeout = {};          // it takes as long as there are events
  static_cast<void>(Connection(patient));  // says in our words what is wrong with the setting
  const std::unique_ptr<PGconn, Finish> connection(PQconnectdb(connection_string(patient).c_str()));
  if (PQstatus(connection.get()) != CONNECTION_OK) throw failure(connection.get(), nullptr, "connect");
  const Result set(PQexec(connection.get(), walk_the_index));
  if (PQresultStatus(set.get()) != PGRES_COMMAND_OK) throw failure(connection.get(), set.get(), "read all events");
  const Result begun(PQexec(connection.get(), copy));
  if (PQresultStatus(begun.get()) != PGRES_COPY_OUT) throw failure(connection.get(), begun.get(), "read all events");
  bool first = true;
  Event event;
  for (;;) {
    char* raw = nullptr;
    const int size = PQgetCopyData(connection.get(), &raw, 0);
    const std::unique_ptr<char, Finish> bytes(raw);
    if (size < 0) break;
    ByteReader row(std::string_view(raw, static_cast<std::size_t>(size)));
    if (first) {
      if (row.bytes(signature.size()) != signature)
        throw Error(Disposition::stop, "PostgreSQL, read all events: the server's COPY is of a form not known here");
      static_cast<void>(row.u32());  // flags: we asked for none
      static_cast<void>(row.bytes(row.u32()));
      first = false;
    }
    if (row.u16() != columns) continue;  // the end of the data
    read(row, event);
    take(event);
  }
  const Result ended(PQgetResult(connection.get()));
  if (PQresultStatus(ended.get()) != PGRES_COMMAND_OK) throw failure(connection.get(), ended.get(), "read all events");
}

}  // namespace quadrille::postgres
