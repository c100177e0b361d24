#include "embedded/nats_server.hpp"

#include "embedded/probe.hpp"

#include <fstream>
#include <stdexcept>
#include <utility>

namespace quadrille::embedded {

NatsServer::NatsServer(Options options)
    : options_(std::move(options)), port_(options_.port == 0 ? free_port() : options_.port) {
  std::filesystem::create_directories(options_.folder);
  start();
}

void NatsServer::write_config() const {
  std::ofstream file(options_.folder / "nats.conf");
  file << "listen: \"127.0.0.1:" << port_ << "\"\n"
       << (options_.name.empty() ? "" : "server_name: \"" + options_.name + "\"\n") << "jetstream { store_dir: \""
       << (options_.folder / "jetstream").string() << "\" }\n"
       << options_.extra_config << "\n";
}

void NatsServer::start() {
  write_config();
  if (find_program("nats-server").empty())
    throw std::runtime_error("nats-server is not installed; apt-get install nats-server");
  process_.emplace(Command{.arguments = {"nats-server", "-c", (options_.folder / "nats.conf").string()},
                           .environment = options_.environment,
                           .output = log()});
  constexpr std::chrono::seconds patience{20};
  const bool up = await([&] { return !process_->running() || accepts_connections(port_); }, patience);
  if (!up || !process_->running())
    throw std::runtime_error("nats-server did not start on port " + std::to_string(port_) + ":\n" + tail(log()));
}

void NatsServer::stop() { process_->stop(); }

void NatsServer::kill() { process_->kill(); }

}  // namespace quadrille::embedded
