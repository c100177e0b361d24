#include "checker/check.hpp"
#include "checker/load.hpp"
#include "checker/report.hpp"
#include "contract/topology.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "quadrille/commands/commands.hpp"

#include <iostream>
#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  std::vector<std::filesystem::path> contracts;
  std::vector<std::filesystem::path> import_roots;
  std::string nats_url = "nats://127.0.0.1:4222";
  std::uint32_t replicas = Topology{}.replicas;
  std::string nats_credentials;
  std::string tls_ca;
};

int run(const Options& options) {
  const checker::Contracts contracts(options.contracts, options.import_roots);
  if (!contracts.reading().faults.empty()) {
    std::cerr << checker::as_text(checker::check(contracts.reading()), false);
    return 1;
  }
  jetstream::JetStreamSettings settings;
  settings.url = options.nats_url;
  settings.client_name = "deployer";
  settings.credentials_file = options.nats_credentials;
  settings.tls_ca = options.tls_ca;
  settings.connect_timeout = std::chrono::seconds(5);
  const auto broker = jetstream::connect(settings);
  for (const auto& participant : contracts.reading().model.participants) {
    auto topology = contract::topology_of(participant);
    topology.replicas = options.replicas;
    broker->ensure(topology);
    std::cout << participant.name << ": stream " << topology.stream << ", " << topology.consumers.size()
              << " consumers are as its contract wants them\n";
  }
  return 0;
}

}  // namespace

void add_deploy(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("deploy",
                         "Creates the stream and the consumers that the contracts ask for, or compares those that are "
                         "there; a difference is named\n"
                         "and changes nothing. Run it as an identity that may, before services that may not.\n\n"
                         "  QUADRILLE_NATS_URL=nats://deployer:...@host quadrille deploy contracts/shop\n"
                         "  QUADRILLE_NATS_URL=nats://deployer:...@a,nats://deployer:...@b,nats://deployer:...@c \\\n"
                         "    quadrille deploy contracts/shop --replicas 3");
  command->add_option("contracts", options->contracts, "Folders or .proto files")->required();
  command
      ->add_option("-I,--import-root", options->import_roots,
                   "What imports are relative to; default: found by looking upwards")
      ->check(CLI::ExistingDirectory);
  command
      ->add_option("--nats-url", options->nats_url,
                   "Where NATS is; give passwords by environment: other users see flags")
      ->envname("QUADRILLE_NATS_URL")
      ->capture_default_str();
  command
      ->add_option(
          "--replicas", options->replicas,
          "Servers of the cluster that keep a copy of the streams; the services' setting `replicas` has to say "
          "the same")
      ->envname("QUADRILLE_REPLICAS")
      ->check(CLI::Range(1, 5))
      ->capture_default_str();
  command->add_option("--nats-credentials", options->nats_credentials, "Credentials file (JWT and seed)")
      ->envname("QUADRILLE_NATS_CREDENTIALS")
      ->check(CLI::ExistingFile);
  command->add_option("--tls-ca", options->tls_ca, "Certificates NATS's is checked against")
      ->envname("QUADRILLE_TLS_CA")
      ->check(CLI::ExistingFile);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quadrille::tool
