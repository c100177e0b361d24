#include "embedded/nats_cluster.hpp"

#include "embedded/probe.hpp"

#include <httplib.h>

#include <set>
#include <stdexcept>

namespace quadrille::embedded {
namespace {

/// Different ones, although nobody listens on any of them yet.
std::vector<int> free_ports(std::size_t count) {
  std::set<int> ports;
  while (ports.size() < count) ports.insert(free_port());
  return {ports.begin(), ports.end()};
}

std::string cluster_config(int own_port, const std::vector<int>& all_ports) {
  std::string routes;
  for (const int port : all_ports) routes += " \"nats://127.0.0.1:" + std::to_string(port) + "\",";
  return "cluster { name: quadrille, listen: \"127.0.0.1:" + std::to_string(own_port) + "\", routes: [" + routes +
         " ] }\n";
}

}  // namespace

NatsCluster::NatsCluster(const Options& options) : folder_(options.folder) {
  const auto count = options.servers;
  const bool alone = count == 1;
  const auto ports = free_ports(3 * count);
  const auto routes_begin = ports.begin() + static_cast<std::ptrdiff_t>(count);
  const auto monitors_begin = routes_begin + static_cast<std::ptrdiff_t>(count);
  const std::vector<int> route_ports(routes_begin, monitors_begin);
  monitor_ports_.assign(monitors_begin, ports.end());
  for (std::size_t i = 0; i < count; ++i) {
    const auto monitor = "http: \"127.0.0.1:" + std::to_string(monitor_ports_[i]) + "\"\n";
    servers_.emplace_back(NatsServer::Options{
        .folder = alone ? folder_ : folder_ / name(i),
        .name = alone ? "" : name(i),
        .port = ports[i],
        .extra_config = monitor + (alone ? "" : cluster_config(route_ports[i], route_ports)) + options.extra_config,
        .environment = options.environment});
  }
  await_healthy();
}

std::string NatsCluster::url(const std::string& user, const std::string& password) const {
  const auto login = user.empty() ? "" : user + ":" + password + "@";
  std::string urls;
  for (const auto& server : servers_)
    urls += (urls.empty() ? "nats://" : ",nats://") + login + "127.0.0.1:" + std::to_string(server.port());
  return urls;
}

NatsServer& NatsCluster::server(const std::string& name_of_it) {
  for (std::size_t i = 0; i < servers_.size(); ++i)
    if (name(i) == name_of_it) return servers_[i];
  throw std::out_of_range("there is no server " + name_of_it);
}

void NatsCluster::await_healthy() const {
  constexpr std::chrono::seconds patience{60};
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    httplib::Client client("127.0.0.1", monitor_ports_[i]);
    std::string last = "no answer";
    const auto healthy = [&] {
      const auto answer = client.Get("/healthz");
      if (answer) last = answer->body;
      return answer && answer->status == 200;
    };
    if (!await(healthy, patience))
      throw std::runtime_error(name(i) + " is not healthy: " + last + "\n" + tail(servers_[i].log()));
  }
}

}  // namespace quadrille::embedded
