#include "archive/archive.hpp"

#include "archive/scan.hpp"
#include "archive/writer.hpp"
#include "cases/descriptors.hpp"
#include "core/time_text.hpp"
#include "core/timestamp.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/contract_arguments.hpp"
#include "quadrille/commands/source_arguments.hpp"
#include "terminal/progress.hpp"
#include "traffic/ndjson.hpp"
#include "traffic/sources.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>

namespace quadrille::tool {
namespace {

using casefile::v1::ArchiveHeader;
using nlohmann::ordered_json;

TimePoint now() { return std::chrono::time_point_cast<TimePoint::duration>(std::chrono::system_clock::now()); }

ArchiveHeader header_for(const std::string& source) {
  ArchiveHeader header;
  *header.mutable_archived_at() = to_timestamp(now());
  header.set_archived_by("quadrille " QUADRILLE_VERSION);
  header.set_source(source);
  return header;
}

ordered_json as_json(const archive::Writer::Written& written) {
  return {{"events", written.events},
          {"sagas", written.sagas},
          {"streams", written.streams},
          {"bytes", written.bytes},
          {"unpacked", written.unpacked}};
}

std::string as_text(const archive::Writer::Written& written) {
  return std::to_string(written.events) + " events of " + std::to_string(written.sagas) + " sagas in " +
         std::to_string(written.streams) + " streams, " + std::to_string(written.bytes) + " bytes (unpacked " +
         std::to_string(written.unpacked) + ")";
}

struct CreateOptions {
  traffic::Source source;
  ContractArguments contracts;
  std::filesystem::path file;
  std::string format = "text";
};

int create(CreateOptions& options) {
  auto header = header_for(options.source.text());
  if (options.contracts.paths.empty() && !options.source.nats_url.empty()) {
    options.contracts.paths.emplace_back(options.source.nats_url);
    options.contracts.nats_credentials = options.source.nats_credentials;
    options.contracts.tls_ca = options.source.tls_ca;
  }
  if (!options.contracts.paths.empty()) {
    const auto contracts = options.contracts.load();
    if (report_faults(contracts)) return 2;
    *header.mutable_descriptors() = cases::descriptors_of(contracts);
  }
  archive::Writer writer(options.file, std::move(header));
  terminal::Progress progress("events");
  std::uint64_t done = 0;
  const auto left_out = traffic::read(options.source, [&](const Event& event) {
    writer.add(event);
    progress.at(++done);
  });
  if (left_out > 0)
    std::cerr << left_out
              << (left_out == 1 ? " message of the stream is no event, and is"
                                : " messages of the stream are no events, and are")
              << " not in the archive\n";
  const auto written = writer.finish();
  if (options.format == "json") {
    auto json = as_json(written);
    json["file"] = options.file.string();
    json["left_out"] = left_out;
    std::cout << json.dump(2) << "\n";
  } else {
    std::cout << options.file.string() << ": " << as_text(written) << "\n";
  }
  return 0;
}

void add_format(CLI::App& command, std::string& format) {
  command.add_option("--format", format, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
}

void add_create(CLI::App& archives, int& exit_code) {
  auto options = std::make_shared<CreateOptions>();
  auto* command = archives.add_subcommand(
      "create",
      "Writes recorded events, as they are, into one compact file with an index by saga, stream and time: records of\n"
      "protobuf in Zstandard frames, each with its checksum. `zstd -d` unpacks it, `zstd -t` tests it.\n\n"
      "  quadrille archive create november.qarc --nats-url nats://127.0.0.1:4222 --to 2026-12-01T00:00:00Z\n"
      "  quadrille archive create payment.qarc --database-url postgresql://... --contracts contracts/shop\n\n"
      "Nothing is left out: keep the file as you keep the system it is from.");
  command->add_option("output", options->file, "File to write")->required();
  add_source(*command, options->source);
  add_window(*command, options->source.window, "Only what was recorded");
  command
      ->add_option(
          "--contracts", options->contracts.paths,
          "Folders of .proto files, a descriptor set, or nats://HOST: put into the file, so that it can be read "
          "without them later; default: what runs at --nats-url")
      ->envname("QUADRILLE_CONTRACTS");
  add_format(*command, options->format);
  command->callback([options, &exit_code] {
    need_source(options->source);
    exit_code = create(*options);
  });
}

struct VerifyOptions {
  std::filesystem::path file;
  std::filesystem::path salvage;
  std::string format = "text";
};

int verify(const VerifyOptions& options) {
  std::optional<archive::Writer> saved;
  if (!options.salvage.empty()) {
    auto header = header_for(options.file.string());
    try {
      header = archive::Archive(options.file).header();
    } catch (const archive::BadArchive&) {
      header = archive::scan(options.file, {}).header.value_or(header);
    }
    saved.emplace(options.salvage, std::move(header));
  }
  terminal::Progress progress("events");
  std::uint64_t done = 0;
  const auto found = archive::scan(options.file, [&](const Event& event) {
    if (saved) saved->add(event);
    progress.at(++done);
  });
  std::optional<archive::Writer::Written> written;
  if (saved) written = saved->finish();
  if (options.format == "json") {
    ordered_json json{{"file", options.file.string()}, {"whole", found.faults.empty()},
                      {"bytes", found.bytes},          {"frames", found.frames},
                      {"events", found.events},        {"faults", ordered_json::array()}};
    for (const auto& fault : found.faults) json["faults"].push_back({{"offset", fault.offset}, {"what", fault.what}});
    if (written) json["saved"] = as_json(*written);
    std::cout << json.dump(2) << "\n";
  } else {
    std::cout << options.file.string() << ": "
              << (found.faults.empty() ? "whole" : std::to_string(found.faults.size()) + " faults") << ", "
              << found.events << " events in " << found.frames << " whole frames\n";
    for (const auto& fault : found.faults) std::cout << "  byte " << fault.offset << ": " << fault.what << "\n";
    if (written)
      std::cout << options.salvage.string() << ": " << as_text(*written) << "\n";
    else if (!found.faults.empty())
      std::cout << "what is whole can be saved: quadrille archive verify " << options.file.string()
                << " --salvage NEW\n";
  }
  return found.faults.empty() ? 0 : 1;
}

void add_verify(CLI::App& archives, int& exit_code) {
  auto options = std::make_shared<VerifyOptions>();
  auto* command = archives.add_subcommand(
      "verify",
      "Reads every byte: checksums, records, and whether the index leads to all of them. Says at which bytes something "
      "is\ndamaged or missing, and saves the rest.\n\n"
      "  quadrille archive verify november.qarc\n"
      "  quadrille archive verify broken.qarc --salvage rest.qarc\n\n"
      "Exit code: 0 whole, 1 not, 2 it cannot be read at all.");
  command->add_option("file", options->file, "Archive")->required()->check(CLI::ExistingFile);
  command->add_option("--salvage", options->salvage, "Writes an archive of all that is whole");
  add_format(*command, options->format);
  command->callback([options, &exit_code] { exit_code = verify(*options); });
}

int show(const std::filesystem::path& file, const std::string& format) {
  const archive::Archive archive(file);
  const auto& directory = archive.directory();
  const auto& header = archive.header();
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;
  for (const auto& frame : directory.frame())
    if (frame.events() > 0) {
      first = std::min(first.value_or(frame.first_us()), frame.first_us());
      last = std::max(last.value_or(frame.last_us()), frame.last_us());
    }
  const auto time = [](const std::optional<std::int64_t>& micros) {
    return micros ? to_rfc3339(TimePoint(std::chrono::microseconds(*micros))) : std::string("none");
  };
  ordered_json json{{"file", file.string()},
                    {"events", directory.events()},
                    {"sagas", directory.sagas()},
                    {"streams", directory.streams()},
                    {"first", time(first)},
                    {"last", time(last)},
                    {"bytes", archive.bytes()},
                    {"frames", directory.frame_size()},
                    {"archived_at", to_rfc3339(to_time(header.archived_at()))},
                    {"archived_by", header.archived_by()},
                    {"source", header.source()},
                    {"contract_files", header.descriptors().file_size()}};
  if (format == "json") {
    std::cout << json.dump(2) << "\n";
    return 0;
  }
  constexpr std::size_t column = 16;
  for (const auto& [name, value] : json.items()) {
    auto label = name;
    label.resize(std::max(column, label.size()), ' ');
    std::cout << label << (value.is_string() ? value.get<std::string>() : value.dump()) << "\n";
  }
  return 0;
}

void add_show(CLI::App& archives, int& exit_code) {
  struct Options {
    std::filesystem::path file;
    std::string format = "text";
  };
  auto options = std::make_shared<Options>();
  auto* command =
      archives.add_subcommand("show", "Tells what an archive holds, from its index: at once, however large");
  command->add_option("file", options->file, "Archive")->required()->check(CLI::ExistingFile);
  add_format(*command, options->format);
  command->callback([options, &exit_code] { exit_code = show(options->file, options->format); });
}

void add_read(CLI::App& archives, int& exit_code) {
  struct Options {
    std::filesystem::path file;
    std::string saga;
    std::string stream;
    archive::Window window;
  };
  auto options = std::make_shared<Options>();
  auto* command = archives.add_subcommand(
      "read",
      "Writes events of an archive to standard output, one a line (NDJSON), as --file of other commands takes it.\n\n"
      "  quadrille archive read november.qarc --saga 7f3c...\n"
      "  quadrille archive read november.qarc --from 2026-11-27T08:00:00Z > black-friday.ndjson\n\n"
      "Exit code: 0 something was found, 1 nothing, 2 the archive is damaged.");
  command->add_option("file", options->file, "Archive")->required()->check(CLI::ExistingFile);
  auto* saga = command->add_option("--saga", options->saga, "Only this saga");
  command->add_option("--stream", options->stream, "Only this stream, <aggregate>-<key>")->excludes(saga);
  add_window(*command, options->window, "Only what was recorded");
  command->callback([options, &exit_code] {
    const archive::Archive archive(options->file);
    exit_code = 1;
    const auto take = [&](const Event& event) {
      if (!options->window.has(event.recorded_at)) return;
      std::cout << traffic::to_ndjson(event) << "\n";
      exit_code = 0;
    };
    if (!options->saga.empty())
      for (const auto& event : archive.saga(options->saga)) take(event);
    else if (!options->stream.empty())
      for (const auto& event : archive.stream(StreamName::parse(options->stream))) take(event);
    else
      archive.read(options->window, take);
  });
}

}  // namespace

void add_archive(CLI::App& app, int& exit_code) {
  auto* archives =
      app.add_subcommand("archive", "Recorded traffic in one compact, indexed file: written, verified, shown, read");
  archives->require_subcommand(1);
  add_create(*archives, exit_code);
  add_verify(*archives, exit_code);
  add_show(*archives, exit_code);
  add_read(*archives, exit_code);
}

}  // namespace quadrille::tool
