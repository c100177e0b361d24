#pragma once

#include "core/store.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace quadrille::postgres {

struct PostgresSettings {
  std::string url;               ///< URL or keywords, as libpq takes them; TLS by sslmode and sslrootcert in it
  std::string application_name;  ///< shown in pg_stat_activity
  int connections = 8;           ///< at most; a ninth transaction waits
  std::chrono::milliseconds connect_timeout{30'000};    ///< how long to wait for the server at start
  std::chrono::milliseconds statement_timeout{30'000};  ///< a statement that hangs longer fails with retry
  std::string search_path;                              ///< schemas of unqualified names; empty: the role's own
  bool durable_commits = true;  ///< false: a crash of the server may undo the last ones; for what can be told anew
  int inbox_days = 30;          ///< how long heard message ids are kept
  std::function<void()> reconnected = [] {};  ///< a connection was had again after one was lost
};

/// The Store over one participant's database. Waits for the server up to connect_timeout, then throws Error(stop) that
/// names it without its password; Error(stop) also when the schema is missing or older than this program.
[[nodiscard]] std::unique_ptr<Store> connect(const PostgresSettings& settings);

}  // namespace quadrille::postgres
