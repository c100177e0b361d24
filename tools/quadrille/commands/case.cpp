#include "casefile/case_file.hpp"
#include "cases/collect.hpp"
#include "cases/descriptors.hpp"
#include "cases/redact.hpp"
#include "cases/show.hpp"
#include "core/timestamp.hpp"
#include "quadrille/commands/case_options.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/contract_arguments.hpp"
#include "quadrille/commands/source_arguments.hpp"
#include "terminal/progress.hpp"

#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>

namespace quadrille::tool {
namespace {

using casefile::v1::Case;

struct ExportOptions {
  traffic::Source source;
  archive::Window began;
  ContractArguments contracts;
  std::string saga;
  bool all = false;
  bool with_personal_data = false;
  std::filesystem::path output;
};

void finish(Case& one, const ExportOptions& options, const checker::Contracts& contracts) {
  auto& header = *one.mutable_header();
  *header.mutable_exported_at() =
      to_timestamp(std::chrono::time_point_cast<TimePoint::duration>(std::chrono::system_clock::now()));
  header.set_exported_by("quadrille " QUADRILLE_VERSION);
  header.set_source(options.source.text());
  cases::describe(one, contracts);
  if (options.with_personal_data)
    header.set_personal_data(casefile::v1::KEPT);
  else
    cases::redact(one, *cases::pool_of(one));
}

/// As they were given; else what runs at the server, or what the archive brings along.
checker::Contracts contracts_for(ExportOptions& options) {
  if (options.contracts.paths.empty() && !options.source.archive.empty())
    if (const archive::Archive archive(options.source.archive); archive.header().descriptors().file_size() > 0)
      return {archive.header().descriptors(), options.source.archive};
  if (options.contracts.paths.empty() && !options.source.nats_url.empty()) {
    options.contracts.paths.emplace_back(options.source.nats_url);  // what runs there is in its registry
    options.contracts.nats_credentials = options.source.nats_credentials;
    options.contracts.tls_ca = options.source.tls_ca;
  }
  if (options.contracts.paths.empty())
    throw std::runtime_error(
        "--contracts is missing: only the contracts say what is personal data; give the folder of the .proto files, or "
        "nats://HOST where they run");
  return options.contracts.load();
}

int export_case(ExportOptions options) {
  const auto contracts = contracts_for(options);
  if (report_faults(contracts)) return 2;
  if (options.all) {
    std::ofstream output(options.output, std::ios::binary);
    std::size_t count = 0;
    std::optional<terminal::Progress> progress;
    std::optional<Case> last;  // whether more come is known when the next one does
    const auto write_last = [&](bool more) {
      if (!last) return;
      last->mutable_header()->set_more(more);
      casefile::write(*last, output);
    };
    cases::collect_all(options.source, options.began, [&](Case one, std::uint64_t sagas) {
      if (!progress) progress.emplace("sagas", sagas);
      finish(one, options, contracts);
      write_last(true);
      last = std::move(one);
      progress->at(++count);
    });
    write_last(false);
    progress.reset();
    if (!output.flush()) throw std::runtime_error("--output " + options.output.string() + " cannot be written");
    std::cout << options.output.string() << ": " << count << " sagas\n";
    return 0;
  }
  auto one = cases::collect(options.source, options.saga);
  if (one.event().empty()) {
    std::cerr << "quadrille: no event of saga " << options.saga << " in " << options.source.text()
              << "; is the id complete, and has the source kept it?\n";
    return 1;
  }
  finish(one, options, contracts);
  const auto file = options.output.empty() ? std::filesystem::path(options.saga + ".case") : options.output;
  std::ofstream output(file, std::ios::binary);
  casefile::write(one, output);
  if (!output.flush()) throw std::runtime_error("--output " + file.string() + " cannot be written");
  std::cout << file.string() << ": " << one.event_size() << " events"
            << (one.header().personal_data() == casefile::v1::REDACTED ? ", personal data redacted\n" : "\n");
  return 0;
}

void add_export_case(CLI::App& cases, int& exit_code) {
  auto options = std::make_shared<ExportOptions>();
  auto* command = cases.add_subcommand(
      "export",
      "Writes a recorded saga into a file that says all it takes to look at it and to run it again: events with their\n"
      "envelopes, contracts, checksums. What contracts mark as direct personal data is replaced by pseudonyms.\n\n"
      "  quadrille case export --saga 7f3c... --nats-url nats://127.0.0.1:4222\n"
      "  quadrille case export --saga 7f3c... --file traffic.ndjson --contracts contracts/shop --output double.case\n"
      "  quadrille case export --saga 7f3c... --archive november.qarc --contracts contracts/shop\n\n"
      "A participant's database holds what that participant recorded, not what it heard: export from NATS or NDJSON "
      "what is to be run again.");
  add_source(*command, options->source);
  auto* saga = command->add_option("--saga", options->saga, "Id of the saga");
  auto* all = command->add_flag("--all", options->all, "Every saga of the source, into one file")->excludes(saga);
  command
      ->add_option("--contracts", options->contracts.paths,
                   "Folders of .proto files, a descriptor set, or nats://HOST; default: what runs at --nats-url")
      ->envname("QUADRILLE_CONTRACTS");
  add_window(*command, options->began, "With --all: sagas that began");
  command->add_flag("--with-personal-data", options->with_personal_data, "Keeps direct personal data as it is");
  command->add_option("-o,--output", options->output, "File to write; default: <saga>.case");
  command->callback([=, &exit_code] {
    if (saga->empty() == all->empty()) throw CLI::ValidationError("case export", "needs --saga ID or --all");
    if (options->all && options->output.empty()) throw CLI::ValidationError("--all", "needs --output FILE");
    need_source(options->source);
    exit_code = export_case(*options);
  });
}

void add_show_case(CLI::App& cases, int& exit_code) {
  struct Options {
    std::vector<std::string> files;
    std::string format = "text";
  };
  auto options = std::make_shared<Options>();
  auto* command = cases.add_subcommand("show", "Tells what case files hold: origin, contracts, timeline, contents");
  command->add_option("files", options->files, "Case files")->required()->check(CLI::ExistingFile);
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &exit_code] {
    for (const auto& file : options->files)
      for_each_case(file, [&](const Case& one) {
        std::cout << (options->format == "json" ? cases::as_json(one) : cases::as_text(one));
      });
    exit_code = 0;
  });
}

}  // namespace

void add_case(CLI::App& app, int& exit_code) {
  auto* cases = app.add_subcommand("case", "Recorded sagas as files: exported, shown, run again, turned into tests");
  cases->require_subcommand(1);
  add_export_case(*cases, exit_code);
  add_show_case(*cases, exit_code);
  add_case_runs(*cases, exit_code);
}

}  // namespace quadrille::tool
