#pragma once

#include "embedded/postgres_server.hpp"

#include <string>

namespace quadrille::support {

/// The PostgreSQL server of this test program: started at first use, stopped at its end.
[[nodiscard]] embedded::PostgresServer& postgres();

/// A migrated database of a test's own.
class TemporaryDatabase {
 public:
  static constexpr const char* role = "tester";  ///< of the service

  TemporaryDatabase();
  [[nodiscard]] std::string owner_url() const;
  /// As a role of least privilege.
  [[nodiscard]] std::string service_url() const;

 private:
  std::string name_;
};

}  // namespace quadrille::support
