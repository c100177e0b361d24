#pragma once

#include "embedded/child_process.hpp"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace quadrille::embedded {

/// A nats-server with JetStream, from the installed binary, with its files in one folder. Not thread-safe.
class NatsServer {
 public:
  struct Options {
    std::filesystem::path folder;
    std::string name = {};                           ///< of the server in its cluster
    int port = 0;                                    ///< 0: a free one
    std::string extra_config;                        ///< appended to the configuration file
    std::map<std::string, std::string> environment;  ///< variables that the configuration names
  };

  /// Starts it and waits until it answers. Throws std::runtime_error with the end of its log when it does not.
  explicit NatsServer(Options options);

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::filesystem::path log() const { return options_.folder / "nats.log"; }
  [[nodiscard]] pid_t pid() const { return process_->pid(); }
  /// Its exit code, where it has ended without being stopped or killed by us.
  [[nodiscard]] std::optional<int> ended() { return process_->wait(std::chrono::milliseconds(0)); }
  void stop();
  /// SIGKILL.
  void kill();
  /// Again on the same port and files.
  void start();

 private:
  void write_config() const;

  Options options_;
  int port_;
  std::optional<ChildProcess> process_;
};

}  // namespace quadrille::embedded
