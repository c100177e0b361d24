#include "postgres/bell.hpp"

#include "quadrille/error.hpp"

#include <libpq-fe.h>

#include <poll.h>
#include <utility>

namespace quadrille::postgres {
namespace {

constexpr std::chrono::milliseconds between_notifications{5};

bool execute(PGconn* connection, const char* statement) {
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection, statement), PQclear);
  return PQresultStatus(result.get()) == PGRES_COMMAND_OK;
}

bool drain_notifications(PGconn* connection) {
  bool any = false;
  while (PGnotify* notification = PQnotifies(connection)) {
    PQfreemem(notification);
    any = true;
  }
  return any;
}

}  // namespace

void Bell::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }

Bell::Bell(std::string connection_string) : connection_string_(std::move(connection_string)) {
  sender_ = std::jthread([this](const std::stop_token& stopping) { send(stopping); });
}

Bell::~Bell() {
  sender_.request_stop();
  sender_.join();
}

Bell::Connection Bell::open() const {
  Connection connection(PQconnectdb(connection_string_.c_str()));
  if (PQstatus(connection.get()) != CONNECTION_OK) connection.reset();
  return connection;
}

void Bell::ring() {
  const std::scoped_lock lock(mutex_);
  rung_ = true;
  rung_here_.notify_one();
}

void Bell::send(const std::stop_token& stopping) {
  Connection connection;
  while (!stopping.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      rung_here_.wait(lock, stopping, [this] { return rung_; });
      rung_ = false;
    }
    if (stopping.stop_requested()) return;
    if (!connection) connection = open();
    // A ring that cannot be sent is not missed for long: the relay's slow poll finds the entries.
    if (connection && !execute(connection.get(), "NOTIFY quadrille_outbox")) connection.reset();
    std::this_thread::sleep_for(between_notifications);
  }
}

bool Bell::await(std::chrono::milliseconds longest) {
  if (!listening_) {
    listening_ = open();
    if (!listening_ || !execute(listening_.get(), "LISTEN quadrille_outbox")) {
      listening_.reset();
      throw Error(Disposition::retry, "PostgreSQL, listen: no connection");
    }
    return true;  // whatever was rung while nobody listened
  }
  if (drain_notifications(listening_.get())) return true;
  pollfd ready{PQsocket(listening_.get()), POLLIN, 0};
  if (poll(&ready, 1, static_cast<int>(longest.count())) <= 0) return false;
  if (PQconsumeInput(listening_.get()) == 0) {
    listening_.reset();
    throw Error(Disposition::retry, "PostgreSQL, listen: connection lost");
  }
  return drain_notifications(listening_.get());
}

}  // namespace quadrille::postgres
