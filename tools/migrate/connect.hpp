#pragma once

#include <pqxx/pqxx>

#include <string>

namespace quadrille::migrate {

/// Throws Error(stop) that names the URL without its password.
[[nodiscard]] pqxx::connection connect(const std::string& database_url);

}  // namespace quadrille::migrate
