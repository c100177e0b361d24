#pragma once

#include "embedded/child_process.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace quadrille::embedded {

/// A PostgreSQL server from the installed binaries, with its files in one folder, on the loopback interface, with
/// passwords. As root it runs as user postgres, or nobody where there is none: PostgreSQL refuses root. Not
/// thread-safe.
class PostgresServer {
 public:
  struct Options {
    std::filesystem::path folder;
    int port = 0;                                 ///< 0: a free one
    std::map<std::string, std::string> settings;  ///< added to the configuration file
    /// config_file and hba_file, to be used as they are: only address, port and folders are ours then.
    std::map<std::string, std::string> configuration = {};
  };

  /// Makes the cluster where the folder has none: copied from the one in the folder that the environment variable
  /// QUADRILLE_CLUSTER_TEMPLATE names, which is filled at the first time, as a thousand tests want. Starts it, waits
  /// until it answers. Throws std::runtime_error with the end of its log when it does not.
  explicit PostgresServer(Options options);

  /// As superuser.
  [[nodiscard]] std::string conninfo(const std::string& database) const;
  /// As another role of which the password is known.
  [[nodiscard]] std::string conninfo(const std::string& database, const std::string& role,
                                     const std::string& password) const;
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] pid_t pid() const { return process_->pid(); }
  /// Its exit code, where it has ended without being stopped or killed by us.
  [[nodiscard]] std::optional<int> ended() { return process_->wait(std::chrono::milliseconds(0)); }
  void stop();
  [[nodiscard]] std::filesystem::path log() const;
  /// SIGKILL to the postmaster.
  void kill();
  /// Again on the same port and files.
  void start();

 private:
  [[nodiscard]] ChildProcess run(std::vector<std::string> arguments) const;
  void make_cluster();
  void initialize() const;
  [[nodiscard]] bool answers() const;

  Options options_;
  int port_;
  std::filesystem::path binaries_;
  std::optional<std::string> user_;
  std::string password_;
  std::optional<ChildProcess> process_;
};

}  // namespace quadrille::embedded
