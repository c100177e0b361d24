#include "embedded/postgres_server.hpp"

#include "core/uuid.hpp"
#include "embedded/private_file.hpp"
#include "embedded/probe.hpp"

#include <libpq-fe.h>

#include <csignal>
#include <fstream>
#include <memory>
#include <pwd.h>
#include <sstream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace quadrille::embedded {
namespace {

constexpr std::chrono::seconds patience{60};

/// Debian keeps each version's binaries in a folder of its own; the newest one.
std::filesystem::path find_binaries() {
  std::filesystem::path newest;
  double newest_version = 0;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/lib/postgresql", none)) {
    const double version = std::atof(entry.path().filename().c_str());
    if (version > newest_version && std::filesystem::exists(entry.path() / "bin" / "initdb")) {
      newest = entry.path() / "bin";
      newest_version = version;
    }
  }
  if (newest.empty()) newest = find_program("initdb").parent_path();
  if (newest.empty()) throw std::runtime_error("PostgreSQL's server is not installed; apt-get install postgresql");
  return newest;
}

std::optional<std::string> server_user() {
  if (geteuid() != 0) return std::nullopt;
  return getpwnam("postgres") != nullptr ? "postgres" : "nobody";
}

void give_to(const std::filesystem::path& path, const std::string& user) {
  const auto* entry = getpwnam(user.c_str());
  if (entry == nullptr || chown(path.c_str(), entry->pw_uid, entry->pw_gid) != 0)
    throw std::runtime_error("cannot give " + path.string() + " to user " + user);
}

}  // namespace

PostgresServer::PostgresServer(Options options)
    : options_(std::move(options)),
      port_(options_.port == 0 ? free_port() : options_.port),
      binaries_(find_binaries()),
      user_(server_user()) {
  std::filesystem::create_directories(options_.folder);
  if (user_) give_to(options_.folder, *user_);
  const auto password_file = options_.folder / "password";
  if (std::filesystem::exists(options_.folder / "data" / "PG_VERSION"))
    std::ifstream(password_file) >> password_;
  else
    make_cluster();
  start();
}

ChildProcess PostgresServer::run(std::vector<std::string> arguments) const {
  arguments[0] = (binaries_ / arguments[0]).string();
  return ChildProcess(Command{.arguments = std::move(arguments),
                              .environment = {{"LC_ALL", "C"}},
                              .output = options_.folder / "postgres.log",
                              .user = user_,
                              .directory = options_.folder});
}

void PostgresServer::make_cluster() {
  password_ = new_uuid();
  const auto password_file = options_.folder / "password";
  write_private(password_file, password_);
  write_private(options_.folder / "postgres.log", "");
  if (user_) {
    give_to(password_file, *user_);
    give_to(options_.folder / "postgres.log", *user_);
  }
  auto initdb = run({"initdb", "-D", (options_.folder / "data").string(), "-U", "postgres", "-A", "scram-sha-256",
                     "--pwfile", password_file.string(), "-E", "UTF8", "--no-locale", "--no-sync"});
  if (initdb.wait(patience) != 0) throw std::runtime_error("initdb failed:\n" + tail(options_.folder / "postgres.log"));
}

void PostgresServer::start() {
  std::vector<std::string> arguments{"postgres",
                                     "-D",
                                     (options_.folder / "data").string(),
                                     "-p",
                                     std::to_string(port_),
                                     "-k",
                                     options_.folder.string()};
  std::map<std::string, std::string> settings = options_.configuration;
  if (settings.empty())
    settings = {{"wal_level", "logical"}, {"max_connections", "200"}, {"max_slot_wal_keep_size", "1GB"}};
  settings["listen_addresses"] = "127.0.0.1";
  for (const auto& [name, value] : options_.settings) settings[name] = value;
  for (const auto& [name, value] : settings) {
    arguments.emplace_back("-c");
    arguments.push_back(name + "=" + value);
  }
  // After kill() the old children may still hold the shared memory for a moment; a start before they have noticed ends
  // at once.
  const auto started = [&] {
    process_.emplace(run(arguments));
    return await([&] { return !process_->running() || answers(); }, patience) && process_->running();
  };
  constexpr std::chrono::seconds until_children_noticed{10};
  if (!await(started, until_children_noticed))
    throw std::runtime_error("PostgreSQL did not start on port " + std::to_string(port_) + ":\n" +
                             tail(options_.folder / "postgres.log"));
}

bool PostgresServer::answers() const {
  const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(conninfo("postgres").c_str()), PQfinish);
  return PQstatus(connection.get()) == CONNECTION_OK;
}

std::string PostgresServer::conninfo(const std::string& database) const {
  return conninfo(database, "postgres", password_);
}

std::string PostgresServer::conninfo(const std::string& database, const std::string& role,
                                     const std::string& password) const {
  return "host=127.0.0.1 port=" + std::to_string(port_) + " dbname=" + database + " user=" + role +
         " password=" + password;
}

void PostgresServer::stop() { process_->stop(std::chrono::seconds(30), SIGINT); }

void PostgresServer::kill() { process_->kill(); }

}  // namespace quadrille::embedded
