#include "postgres/replication/replication_connection.hpp"

#include "postgres/replication/frame.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <cstdlib>
#include <poll.h>

namespace quadrille::postgres {
namespace {

constexpr const char* object_in_use = "55006";

/// The forms that EventRows reads, whatever server and role have as their own; and a stream has no end in time.
constexpr const char* settings =
    "SET DateStyle = 'ISO'; SET TimeZone = 'UTC'; SET bytea_output = 'hex'; SET statement_timeout = 0; "
    "SELECT setting FROM pg_catalog.pg_settings WHERE name = 'wal_sender_timeout'";

using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

/// Names cannot be parameters here. Ours need no quoting; anything else is a fault of ours, or an attack.
const std::string& plain(const std::string& name) {
  constexpr std::size_t longest_name = 63;
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (name.empty() || name.size() > longest_name || !std::ranges::all_of(name, allowed))
    throw Error(Disposition::stop, "'" + name + "' is no name for a replication slot or publication");
  return name;
}

}  // namespace

void ReplicationConnection::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }
void ReplicationConnection::Free::operator()(char* bytes) const { PQfreemem(bytes); }

Error ReplicationConnection::failure(const char* doing) const {
  std::string text = PQerrorMessage(connection_.get());
  return {Disposition::retry, std::string("PostgreSQL, ") + doing + ": " + text.substr(0, text.find('\n'))};
}

ReplicationConnection::ReplicationConnection(const std::string& keywords)
    : connection_(PQconnectdb((keywords + " replication=database").c_str())) {
  if (PQstatus(connection_.get()) != CONNECTION_OK) throw failure("connect for replication");
  const Result answer(PQexec(connection_.get(), settings), PQclear);
  if (PQresultStatus(answer.get()) != PGRES_TUPLES_OK || PQntuples(answer.get()) != 1)
    throw failure("prepare for replication");
  patience_ = std::chrono::milliseconds(std::strtol(PQgetvalue(answer.get(), 0, 0), nullptr, 10));
}

void ReplicationConnection::start(const std::string& slot, const std::string& publication) {
  const auto command = "START_REPLICATION SLOT \"" + plain(slot) +
                       "\" LOGICAL 0/0 (proto_version '1', publication_names '\"" + plain(publication) + "\"')";
  const Result answer(PQexec(connection_.get(), command.c_str()), PQclear);
  if (PQresultStatus(answer.get()) == PGRES_COPY_BOTH) return;
  const char* sqlstate = PQresultErrorField(answer.get(), PG_DIAG_SQLSTATE);
  const auto error = failure("start replication");
  if (sqlstate != nullptr && sqlstate == std::string_view(object_in_use)) throw SlotInUse(error.what());
  throw error;
}

std::string_view ReplicationConnection::take() {
  char* bytes = nullptr;
  const int size = PQgetCopyData(connection_.get(), &bytes, 1);
  frame_.reset(bytes);
  if (size > 0) return {bytes, static_cast<std::size_t>(size)};
  if (size == 0) return {};
  // Ended: the reason, if there is one, is in the result that follows.
  const Result answer(PQgetResult(connection_.get()), PQclear);
  throw failure("read the log");
}

std::string_view ReplicationConnection::receive(std::chrono::milliseconds longest) {
  if (const auto frame = take(); !frame.empty()) return frame;
  pollfd ready{PQsocket(connection_.get()), POLLIN, 0};
  if (poll(&ready, 1, static_cast<int>(longest.count())) <= 0) return {};
  if (PQconsumeInput(connection_.get()) == 0) throw failure("read the log");
  return take();
}

void ReplicationConnection::report(Lsn confirmed) {
  const auto update = status_update(confirmed, std::chrono::system_clock::now());
  if (PQputCopyData(connection_.get(), update.data(), static_cast<int>(update.size())) != 1 ||
      PQflush(connection_.get()) != 0)
    throw failure("confirm what was published");
}

}  // namespace quadrille::postgres
