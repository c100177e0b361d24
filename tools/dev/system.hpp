#pragma once

#include "embedded/child_process.hpp"
#include "embedded/nats_cluster.hpp"
#include "embedded/postgres_server.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace quadrille::dev {

/// A participant's program, or one beside them that has a database of its own.
struct ServiceSpec {
  std::string participant;
  std::filesystem::path program;
  std::map<std::string, std::string> environment;  ///< further settings, QUADRILLE_...
  bool owns_schema = false;                        ///< it makes its tables itself: no participant, such as the tracker
  std::map<std::string, std::string> further_users = {};  ///< variables with the URL of NATS as that user
};

/// A whole choreography on this machine: NATS, PostgreSQL with a migrated database and a role of least privilege for
/// each participant, and the participants' programs. Everything ends with the object. Not thread-safe.
class System {
 public:
  struct Options {
    std::filesystem::path folder;  ///< logs, configuration, data
    std::vector<ServiceSpec> services;
    std::filesystem::path migrations;                     ///< empty: the default
    bool log_tailing = false;                             ///< relays tail the log; else they poll
    std::size_t nats_servers = 1;                         ///< more make a cluster, and as many replicas of its streams
    std::string nats_config;                              ///< appended to nats-server's
    std::map<std::string, std::string> nats_passwords;    ///< by user, where the server wants them
    std::map<std::string, std::string> nats_environment;  ///< variables that nats_config names
    /// Ports that stand between a participant and the first NATS server, or PostgreSQL: for tests that disturb the way.
    std::map<std::string, int> nats_through;
    std::map<std::string, int> postgres_through;
    std::function<void(const std::string&)> progress = [](const std::string&) {};
  };

  /// Starts NATS and PostgreSQL and prepares the databases; starts no service yet.
  explicit System(Options options);

  /// The first server; of a cluster see cluster().
  [[nodiscard]] embedded::NatsServer& nats() { return nats_->server(0); }
  [[nodiscard]] embedded::NatsCluster& cluster() { return *nats_; }
  [[nodiscard]] embedded::PostgresServer& postgres() { return *postgres_; }
  /// All servers, as a user: with its password where there is one.
  [[nodiscard]] std::string nats_url(const std::string& user) const;
  /// Of a participant's database: as its service sees it, and as superuser.
  [[nodiscard]] std::string service_url(const std::string& participant) const;
  [[nodiscard]] std::string owner_url(const std::string& participant) const;

  /// Starts an instance of a service (again) and returns at once.
  void start(const std::string& participant, int instance = 0);
  void start_all();
  /// Waits until the instance says it is ready. Throws std::runtime_error with the end of its log when it does not in
  /// time.
  void await_ready(const std::string& participant, int instance = 0);
  void await_all_ready();
  /// The running program of an instance. Throws std::out_of_range when it was never started.
  [[nodiscard]] embedded::ChildProcess& process(const std::string& participant, int instance = 0);
  /// host:port of its HTTP edge.
  [[nodiscard]] std::string http(const std::string& participant, int instance = 0) const;
  [[nodiscard]] std::filesystem::path log(const std::string& participant, int instance = 0) const;
  struct End {
    int code = 0;
    std::filesystem::path log;
  };
  /// What has ended by itself since it was started: services by `participant-instance`, nats-1 and so on, postgresql.
  [[nodiscard]] std::map<std::string, End> ended();
  /// Exit codes of all services stopped by SIGTERM, by `participant-instance`.
  std::map<std::string, int> stop_services();
  [[nodiscard]] const std::vector<ServiceSpec>& services() const { return options_.services; }

 private:
  void prepare_database(const ServiceSpec& service);
  [[nodiscard]] static std::string id(const std::string& participant, int instance);
  [[nodiscard]] const ServiceSpec& spec(const std::string& participant) const;

  Options options_;
  std::unique_ptr<embedded::NatsCluster> nats_;
  std::unique_ptr<embedded::PostgresServer> postgres_;
  std::map<std::string, std::string> passwords_;
  std::map<std::string, int> http_ports_;
  std::map<std::string, embedded::ChildProcess> processes_;
};

/// The tracker, with its program in `binaries`. Its token, for acts, is in `folder`/tracker-token.
[[nodiscard]] ServiceSpec tracker_service(const std::filesystem::path& binaries, const std::filesystem::path& folder);

/// The reference shop, with its programs in `binaries`.
[[nodiscard]] std::vector<ServiceSpec> shop_services(const std::filesystem::path& binaries);

}  // namespace quadrille::dev
