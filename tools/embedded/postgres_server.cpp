#include "embedded/postgres_server.hpp"

#include "core/uuid.hpp"
#include "embedded/private_file.hpp"
#include "embedded/probe.hpp"

#include <libpq-fe.h>

#include <csignal>
#include <cstdlib>
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

/// With owners and modes.
void copy_all(const std::filesystem::path& from, const std::filesystem::path& to) {
  ChildProcess copy({.arguments = {"cp", "-a", from.string(), to.string()}, .output = "/dev/null"});
  if (copy.wait(patience) != 0) throw std::runtime_error("cannot copy " + from.string() + " to " + to.string());
}

/// Of clusters of this version; nothing where none is wanted.
std::optional<std::filesystem::path> template_folder(const std::filesystem::path& binaries) {
  const char* folder = std::getenv("QUADRILLE_CLUSTER_TEMPLATE");
  if (folder == nullptr || *folder == 0) return std::nullopt;
  return std::filesystem::path(folder) / binaries.parent_path().filename();
}

/// Several may do so at once: the first one stays.
void keep_as_template(const std::filesystem::path& folder, const std::filesystem::path& model) {
  std::filesystem::create_directories(model.parent_path());
  const auto unfinished = model.string() + "-" + new_uuid();
  std::filesystem::create_directory(unfinished);
  for (const auto* part : {"data", "password"}) copy_all(folder / part, unfinished);
  std::error_code there_is_one;
  std::filesystem::rename(unfinished, model, there_is_one);
  if (there_is_one) std::filesystem::remove_all(unfinished);
}

std::string first_line(const std::filesystem::path& file) {
  std::string line;
  std::getline(std::ifstream(file), line);
  return line;
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
    password_ = first_line(password_file);
  else
    make_cluster();
  start();
}

ChildProcess PostgresServer::run(std::vector<std::string> arguments) const {
  arguments[0] = (binaries_ / arguments[0]).string();
  return ChildProcess(Command{.arguments = std::move(arguments),
                              .environment = {{"LC_ALL", "C"}},
                              .output = log(),
                              .user = user_,
                              .directory = options_.folder});
}

void PostgresServer::make_cluster() {
  const auto model = template_folder(binaries_);
  password_ = model && std::filesystem::exists(*model) ? first_line(*model / "password") : new_uuid();
  const auto password_file = options_.folder / "password";
  write_private(password_file, password_);
  write_private(log(), "");
  if (user_) {
    give_to(password_file, *user_);
    give_to(log(), *user_);
  }
  if (!model) return initialize();
  if (std::filesystem::exists(*model)) return copy_all(*model / "data", options_.folder / "data");
  initialize();
  keep_as_template(options_.folder, *model);
}

void PostgresServer::initialize() const {
  const auto password_file = options_.folder / "password";
  auto initdb = run({"initdb", "-D", (options_.folder / "data").string(), "-U", "postgres", "-A", "scram-sha-256",
                     "--pwfile", password_file.string(), "-E", "UTF8", "--no-locale", "--no-sync"});
  if (initdb.wait(patience) != 0) throw std::runtime_error("initdb failed:\n" + tail(log()));
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
    throw std::runtime_error("PostgreSQL did not start on port " + std::to_string(port_) + ":\n" + tail(log()));
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

std::filesystem::path PostgresServer::log() const { return options_.folder / "postgres.log"; }

void PostgresServer::stop() { process_->stop(std::chrono::seconds(30), SIGINT); }

void PostgresServer::kill() { process_->kill(); }

}  // namespace quadrille::embedded
