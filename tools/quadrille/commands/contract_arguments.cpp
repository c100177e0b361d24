#include "quadrille/commands/contract_arguments.hpp"

#include "checker/check.hpp"
#include "checker/report.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <unistd.h>

namespace quadrille::tool {

void ContractArguments::add_to(CLI::App& command) {
  command
      .add_option("contracts", paths,
                  "Folders, .proto files, or one descriptor set (.binpb: protoc --descriptor_set_out --include_imports "
                  "--include_source_info)")
      ->required();
  command
      .add_option("-I,--import-root", import_roots, "What imports are relative to; default: found by looking upwards")
      ->check(CLI::ExistingDirectory);
}

checker::Contracts ContractArguments::load() const {
  checker::Contracts contracts(paths, import_roots);
  if (contracts.reading().faults.empty() && contracts.reading().model.participants.empty())
    throw std::runtime_error(
        paths.front().string() +
        " declares no participant; a steps file has option (quadrille.v1.participant). Is it the right folder?");
  return contracts;
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
