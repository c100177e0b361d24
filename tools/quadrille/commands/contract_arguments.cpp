#include "quadrille/commands/contract_arguments.hpp"

#include "checker/check.hpp"
#include "checker/report.hpp"
#include "core/redact.hpp"
#include "deploy/registry.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace quadrille::tool {

void ContractArguments::add_to(CLI::App& command) {
  command
      .add_option("contracts", paths,
                  "Folders, .proto files, one descriptor set (.binpb: protoc --descriptor_set_out --include_imports "
                  "--include_source_info), or nats://HOST: what runs there")
      ->required();
  command
      .add_option("-I,--import-root", import_roots, "What imports are relative to; default: found by looking upwards")
      ->check(CLI::ExistingDirectory);
  command.add_option("--contracts-credentials", nats_credentials, "Credentials file, where contracts come from NATS")
      ->check(CLI::ExistingFile);
  command
      .add_option("--contracts-tls-ca", tls_ca, "Certificates NATS's is checked against, where contracts come from it")
      ->check(CLI::ExistingFile);
}

namespace {

bool is_server(const std::string& path) { return path.starts_with("nats://") || path.starts_with("tls://"); }

std::vector<v1::Registration> read_running(const ContractArguments& arguments, const std::string& url) {
  jetstream::JetStreamSettings settings;
  settings.url = url;
  settings.client_name = "quadrille-contracts";
  settings.credentials_file = arguments.nats_credentials;
  settings.tls_ca = arguments.tls_ca;
  settings.connect_timeout = std::chrono::seconds(5);
  return deploy::read_registry(settings);
}

checker::Contracts newest(const std::vector<v1::Registration>& registrations, const std::string& url) {
  for (const auto& registration : registrations)
    std::cerr << "running: " << registration.participant() << " " << registration.fingerprint().substr(0, 12) << " ("
              << registration.instance() << ", framework " << registration.framework() << ")\n";
  return {deploy::newest_contracts(registrations), without_password(url)};
}

}  // namespace

checker::Contracts ContractArguments::load() const {
  const auto first = paths.front().string();
  if (is_server(first) && paths.size() > 1)
    throw std::runtime_error("what runs at " + without_password(first) +
                             " is read by itself: give no other contracts beside it");
  auto contracts =
      is_server(first) ? newest(read_running(*this, first), first) : checker::Contracts(paths, import_roots);
  if (contracts.reading().faults.empty() && contracts.reading().model.participants.empty())
    throw std::runtime_error(
        paths.front().string() +
        " declares no participant; a steps file has option (quadrille.v1.participant). Is it the right folder?");
  return contracts;
}

std::vector<checker::Contracts> ContractArguments::load_older() const {
  std::vector<checker::Contracts> older;
  if (!is_server(paths.front().string())) return older;
  std::string participant;
  for (const auto& registration : read_running(*this, paths.front().string()))
    if (std::exchange(participant, registration.participant()) == registration.participant())
      older.emplace_back(registration.contract(), registration.participant() + " " + registration.fingerprint());
  return older;
}

bool report_faults(const checker::Contracts& contracts) {
  if (contracts.reading().faults.empty()) return false;
  std::cerr << checker::as_text(checker::check(contracts.reading()), false);
  return true;
}

bool colour_on_output() { return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

void write_output(const std::filesystem::path& file, const std::string& content) {
  if (file.empty()) {
    std::cout << content;
    return;
  }
  std::ofstream output(file, std::ios::binary);
  output << content;
  if (!output.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace quadrille::tool
