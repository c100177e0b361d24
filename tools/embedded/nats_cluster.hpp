#pragma once

#include "embedded/nats_server.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace quadrille::embedded {

/// nats-servers with JetStream that make up one cluster; one of them alone is an ordinary server. Not thread-safe.
class NatsCluster {
 public:
  struct Options {
    std::filesystem::path folder;
    std::size_t servers = 3;
    std::string extra_config;                        ///< appended to the configuration of each
    std::map<std::string, std::string> environment;  ///< variables that the configuration names
  };

  /// Starts them and waits until they have a leader. Throws std::runtime_error with the end of a log when they do not.
  explicit NatsCluster(const Options& options);

  /// Of all servers, separated by commas; as a user where one is given.
  [[nodiscard]] std::string url(const std::string& user = {}, const std::string& password = {}) const;
  [[nodiscard]] std::size_t size() const { return servers_.size(); }
  [[nodiscard]] NatsServer& server(std::size_t index) { return servers_.at(index); }
  [[nodiscard]] const NatsServer& server(std::size_t index) const { return servers_.at(index); }
  /// `nats-1` is the first. Throws std::out_of_range.
  [[nodiscard]] NatsServer& server(const std::string& name);
  /// Waits until every server has what it has to keep and the cluster has a leader. Throws std::runtime_error with the
  /// end of a log when that does not come.
  void await_healthy() const;

 private:
  [[nodiscard]] static std::string name(std::size_t index) { return "nats-" + std::to_string(index + 1); }

  std::filesystem::path folder_;
  std::vector<int> monitor_ports_;
  std::vector<NatsServer> servers_;
};

}  // namespace quadrille::embedded
