#include "support/temporary_database.hpp"

#include "migrate/migrate.hpp"

#include <pqxx/pqxx>

namespace quadrille::support {
namespace {

constexpr const char* template_name = "migrated";
constexpr const char* password = "of-a-temporary-server";

void execute(const std::string& url, const std::string& statement) {
  pqxx::connection connection(url);
  pqxx::nontransaction work(connection);
  work.exec(statement);
}

/// Migrated once, copied for every test.
void prepare_template() {
  static const bool prepared = [] {
    execute(postgres().conninfo("postgres"), std::string("CREATE DATABASE ") + template_name);
    const auto url = postgres().conninfo(template_name);
    migrate::apply(url, migrate::find(migrate::default_folder(), ""), false);
    migrate::grant_service_role(url, TemporaryDatabase::role, password);
    return true;
  }();
  static_cast<void>(prepared);
}

}  // namespace

embedded::PostgresServer& postgres() {
  static const embedded::TemporaryFolder folder;
  static embedded::PostgresServer server(
      {.folder = folder.path() / "postgres", .settings = {{"max_slot_wal_keep_size", "256MB"}}});
  return server;
}

TemporaryDatabase::TemporaryDatabase() {
  static int count = 0;
  prepare_template();
  name_ = "test_" + std::to_string(++count);
  execute(postgres().conninfo("postgres"), "CREATE DATABASE " + name_ + " TEMPLATE " + template_name);
}

std::string TemporaryDatabase::owner_url() const { return postgres().conninfo(name_); }

std::string TemporaryDatabase::service_url() const { return postgres().conninfo(name_, role, password); }

}  // namespace quadrille::support
