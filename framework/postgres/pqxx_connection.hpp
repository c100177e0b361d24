#pragma once

#include "postgres/connection.hpp"

#include <pqxx/pqxx>

#include <set>
#include <string>

/// Private to this folder: the only header that shows libpqxx, and the place for what differs between 6 and 7.
namespace quadrille::postgres {

struct Connection {
  explicit Connection(const std::string& keywords) : raw(keywords) {
#if PQXX_VERSION_MAJOR < 7
    // A lost connection is lost: its transaction must not go on in a new one. Deprecated because 7 never reconnects.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    raw.inhibit_reactivation(true);
#pragma GCC diagnostic pop
#endif
  }

  pqxx::connection raw;
  std::set<const void*> prepared;  ///< statements by address: each has static storage
};

}  // namespace quadrille::postgres
