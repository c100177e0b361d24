#pragma once

#include "postgres/postgres_store.hpp"

#include <map>
#include <string>

namespace quadrille::postgres {

/// How a server is set, and what this role may: for tools that look at it.
struct ServerFacts {
  std::map<std::string, std::string> settings;  ///< by name, as SHOW tells them; of those `names` asks for
  bool superuser = false;
  bool may_change_events = false;  ///< this role may update or delete recorded events
  std::string schema;              ///< newest migration of the framework; empty where there is none
};

/// Throws Error when the server cannot be reached.
[[nodiscard]] ServerFacts look(const PostgresSettings& settings, const std::string& names);

}  // namespace quadrille::postgres
