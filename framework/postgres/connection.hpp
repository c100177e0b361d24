#pragma once

#include "postgres/postgres_store.hpp"

#include <memory>
#include <string>

namespace quadrille::postgres {

/// One connection and what is prepared on it. Used by one thread at a time. (libpqxx's own name for it differs between
/// 6 and 7, so it cannot be declared ahead; pqxx_connection.hpp has the rest.)
struct Connection;
struct CloseConnection {
  void operator()(Connection* connection) const;
};
using ConnectionPtr = std::unique_ptr<Connection, CloseConnection>;

/// Connects once. Throws Error: retry when the server does not answer, stop when it refuses us.
[[nodiscard]] ConnectionPtr open_connection(const PostgresSettings& settings);

/// The settings' URL as libpq keywords with what a long-running service needs added: time-outs, keepalives, name.
/// Throws Error(stop) when it is malformed.
[[nodiscard]] std::string connection_string(const PostgresSettings& settings);

}  // namespace quadrille::postgres
