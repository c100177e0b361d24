#include "migrate/migrate.hpp"

#include "core/redact.hpp"
#include "core/sha256.hpp"
#include "data/data_folder.hpp"
#include "migrate/connect.hpp"
#include "quadrille/error.hpp"

#include <libpq-fe.h>
#include <pqxx/pqxx>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

namespace quadrille::migrate {
namespace {

/// Any number, the same for everybody who migrates.
constexpr const char* lock_statement = "SELECT pg_advisory_lock(7830011)";

constexpr const char* bookkeeping =
    "CREATE SCHEMA IF NOT EXISTS quadrille;"
    "CREATE TABLE IF NOT EXISTS quadrille.migrations ("
    "  name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());";

std::string content_of(const std::filesystem::path& file) {
  const std::ifstream input(file, std::ios::binary);
  if (!input) throw Error(Disposition::stop, "cannot read " + file.string());
  std::ostringstream content;
  content << input.rdbuf();
  return content.str();
}

std::map<std::string, std::string> recorded(pqxx::work& work) {
  std::map<std::string, std::string> checksums;
  for (const auto& row : work.exec("SELECT name, sha256 FROM quadrille.migrations"))
    checksums[row[0].c_str()] = row[1].c_str();
  return checksums;
}

/// What was applied must still be there and the same, or the folder belongs to another version.
void check_history(const std::map<std::string, std::string>& applied,
                   const std::map<std::string, std::string>& contents) {
  for (const auto& [name, checksum] : applied) {
    const auto content = contents.find(name);
    if (content == contents.end())
      throw Error(Disposition::stop, "migration " + name +
                                         " was applied to this database but its file is gone: use the migrations of "
                                         "the newest version that ran here");
    if (sha256(content->second) != checksum)
      throw Error(Disposition::stop,
                  "migration " + name +
                      " was changed after it was applied: restore the file and put the change into a new one");
  }
}

void apply_one(pqxx::connection& connection, const std::string& name, const std::string& content) {
  pqxx::work work(connection);
  try {
    work.exec(content);
  } catch (const pqxx::sql_error& error) {
    throw Error(Disposition::stop, "migration " + name + " failed and was rolled back: " + error.what());
  }
  work.exec("INSERT INTO quadrille.migrations (name, sha256) VALUES (" + work.quote(name) + ", " +
            work.quote(sha256(content)) + ")");
  work.exec("GRANT SELECT ON quadrille.migrations TO quadrille_service");
  work.commit();
}

/// The password as the server keeps it, so that it is in no statement and no log of the server.
std::string encrypted(const std::string& database_url, const std::string& role, const std::string& password) {
  const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(database_url.c_str()), PQfinish);
  const std::unique_ptr<char, decltype(&PQfreemem)> text(
      PQencryptPasswordConn(connection.get(), password.c_str(), role.c_str(), "scram-sha-256"), PQfreemem);
  if (!text)
    throw Error(Disposition::stop,
                "cannot encrypt the password of role " + role + ": " + PQerrorMessage(connection.get()));
  return text.get();
}

}  // namespace

pqxx::connection connect(const std::string& database_url) {
  try {
    return pqxx::connection(database_url);
  } catch (const std::exception& error) {
    throw Error(Disposition::stop,
                "cannot connect to " + without_password(database_url) + " (setting database_url): " + error.what());
  }
}

std::filesystem::path default_folder() { return data::folder("migrations"); }

std::vector<Migration> find(const std::filesystem::path& folder, const std::string& participant) {
  std::vector<Migration> migrations;
  std::error_code none;
  // A project has its own migrations and takes the framework's from where that is installed.
  const auto frameworks = std::filesystem::is_directory(folder / "framework", none) ? folder : default_folder();
  for (const auto& part : {std::string("framework"), participant}) {
    std::vector<Migration> found;
    if (!part.empty())
      for (const auto& entry :
           std::filesystem::directory_iterator((part == "framework" ? frameworks : folder) / part, none))
        if (entry.path().extension() == ".sql")
          found.push_back({part + "/" + entry.path().filename().string(), entry.path()});
    if (found.empty() && part == "framework")
      throw Error(Disposition::stop, "no migrations in " + (frameworks / part).string() + " (setting migrations)");
    std::ranges::sort(found, {}, &Migration::name);
    migrations.insert(migrations.end(), found.begin(), found.end());
  }
  return migrations;
}

std::vector<std::string> apply(const std::string& database_url, const std::vector<Migration>& migrations,
                               bool dry_run) {
  std::map<std::string, std::string> contents;
  for (const auto& migration : migrations) contents[migration.name] = content_of(migration.file);
  auto connection = connect(database_url);
  std::map<std::string, std::string> applied;
  {
    pqxx::nontransaction locked(connection);
    locked.exec(lock_statement);  // until the connection ends
    if (!dry_run) locked.exec(bookkeeping);
  }
  {
    pqxx::work work(connection);
    if (!work.exec("SELECT to_regclass('quadrille.migrations')")[0][0].is_null()) applied = recorded(work);
  }
  check_history(applied, contents);
  std::vector<std::string> names;
  for (const auto& migration : migrations) {
    if (applied.contains(migration.name)) continue;
    if (!dry_run) apply_one(connection, migration.name, contents.at(migration.name));
    names.push_back(migration.name);
  }
  return names;
}

void grant_service_role(const std::string& database_url, const std::string& role, const std::string& password) {
  auto connection = connect(database_url);
  pqxx::work work(connection);
  const auto name = work.quote_name(role);
  const bool exists = !work.exec("SELECT FROM pg_roles WHERE rolname = " + work.quote(role)).empty();
  // A role's name and password cannot be parameters of these statements; they are quoted by the library.
  work.exec((exists ? "ALTER ROLE " : "CREATE ROLE ") + name + " LOGIN PASSWORD " +
            work.quote(encrypted(database_url, role, password)));
  work.exec("GRANT quadrille_service TO " + name);
  work.commit();
}

}  // namespace quadrille::migrate
