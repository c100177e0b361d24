#include "checker/check.hpp"

#include "checker/load_cached.hpp"
#include "checker/metrics.hpp"
#include "checker/policy.hpp"
#include "checker/report.hpp"
#include "checker/sarif.hpp"
#include "evolution/evolution.hpp"
#include "inspect/inspect.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/contract_arguments.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <iterator>
#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  ContractArguments contracts;
  std::filesystem::path cache;
  std::filesystem::path policy;
  std::filesystem::path baseline;
  std::filesystem::path write_baseline;
  std::filesystem::path output;
  std::string server;
  std::string as;
  std::string database_url;
  std::string format = "text";
  bool strict = false;
  bool metrics = false;
};

std::ptrdiff_t count(const std::vector<checker::Finding>& findings, checker::Severity severity) {
  return std::ranges::count_if(findings, [&](const checker::Finding& finding) {
    return finding.severity == severity && finding.suppressed.empty();
  });
}

std::chrono::year_month_day today() { return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()); }

void append(std::vector<checker::Finding>& findings, std::vector<checker::Finding> more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// What runs, where the caller says where it is.
void look_at_servers(const Options& options, const contract::Model& model, std::vector<checker::Finding>& findings) {
  if (!options.server.empty()) {
    jetstream::JetStreamSettings settings;
    settings.url = options.server;
    settings.client_name = options.as.empty() ? "quadrille-check" : options.as;
    settings.credentials_file = options.contracts.nats_credentials;
    settings.tls_ca = options.contracts.tls_ca;
    settings.connect_timeout = std::chrono::seconds(5);
    const jetstream::ServerApi api(settings);
    if (options.as.empty()) {
      const checker::Graph graph(model);
      append(findings, inspect::judge_broker(inspect::read_broker(api), graph, checker::sagas(graph)));
    } else {
      const auto* participant = model.find_participant(options.as);
      if (participant == nullptr) throw std::runtime_error("--as " + options.as + ": no contract declares it");
      append(findings, inspect::probe_permissions(api, model, *participant));
    }
  }
  if (!options.database_url.empty()) {
    postgres::PostgresSettings settings;
    settings.url = options.database_url;
    settings.application_name = "quadrille-check";
    settings.connect_timeout = std::chrono::seconds(5);
    append(findings, inspect::judge_database(postgres::look(settings, inspect::database_settings)));
  }
}

std::vector<checker::Finding> judge(const Options& options, const contract::Reading& reading) {
  auto findings = checker::check(reading);
  const auto& model = reading.model;
  for (const auto& old : options.contracts.load_older()) {
    auto mixed = evolution::merge(model, old.reading().model);
    mixed.events.insert(model.events.begin(), model.events.end());
    append(findings, evolution::order_findings(mixed, model));
  }
  if (reading.faults.empty()) look_at_servers(options, model, findings);
  if (!options.policy.empty()) checker::Policy(options.policy).apply(findings, today());
  if (!options.baseline.empty()) checker::Baseline(options.baseline).apply(findings);
  return findings;
}

std::vector<checker::Metrics> measure(const contract::Model& model) {
  const checker::Graph graph(model);
  std::vector<checker::Metrics> metrics;
  for (const auto& saga : checker::sagas(graph))
    if (saga.nodes.size() <= checker::SagaFlow::largest) metrics.push_back(checker::measure({graph, saga}));
  return metrics;
}

std::string metrics_text(const contract::Model& model) {
  std::string text;
  for (const auto& saga : measure(model))
    text += "saga " + saga.saga + ": " + std::to_string(saga.steps) + " steps, " + std::to_string(saga.events) +
            " events, " + std::to_string(saga.participants) + " participants, longest way " +
            std::to_string(saga.longest_way) + " steps (hop limit " + std::to_string(checker::runtime_hop_limit) +
            "), widest fan-out " + std::to_string(saga.widest_fan_out) + "\n";
  return text;
}

std::string summary(const contract::Model& model, const std::vector<checker::Finding>& findings, bool failed) {
  std::size_t steps = 0;
  for (const auto& participant : model.participants) steps += participant.steps.size();
  const auto suppressed =
      std::ranges::count_if(findings, [](const checker::Finding& finding) { return !finding.suppressed.empty(); });
  return (failed ? "FAILED  " : "ok  ") + std::to_string(model.participants.size()) + " participants, " +
         std::to_string(steps) + " steps, " + std::to_string(model.events.size()) +
         " events: " + std::to_string(count(findings, checker::Severity::error)) + " errors, " +
         std::to_string(count(findings, checker::Severity::warning)) + " warnings, " +
         std::to_string(count(findings, checker::Severity::note)) + " notes" +
         (suppressed > 0 ? ", " + std::to_string(suppressed) + " waived or known" : "") + "\n";
}

std::string report(const Options& options, const contract::Model& model, const std::vector<checker::Finding>& findings,
                   bool failed) {
  if (options.format == "json") return checker::as_json(model, measure(model), findings);
  if (options.format == "sarif") return checker::as_sarif(findings, QUADRILLE_VERSION);
  if (options.format == "junit") {
    std::vector<std::string> sagas;
    for (const auto& saga : model.sagas) sagas.push_back(saga.name);
    return checker::as_junit(findings, sagas, options.strict ? checker::Severity::warning : checker::Severity::error);
  }
  return checker::as_text(findings, options.output.empty() && colour_on_output()) +
         (options.metrics ? metrics_text(model) : "") + summary(model, findings, failed);
}

int run(const Options& options) {
  const auto reading = options.cache.empty() ? options.contracts.load().reading()
                                             : checker::read_cached(options.contracts.paths,
                                                                    options.contracts.import_roots, options.cache);
  const auto findings = judge(options, reading);
  if (!options.write_baseline.empty()) {
    write_output(options.write_baseline, checker::Baseline::write(findings));
    std::cerr << "wrote " << options.write_baseline.string() << "; check with --baseline "
              << options.write_baseline.string() << " from now on\n";
    return 0;
  }
  const bool failed = count(findings, checker::Severity::error) > 0 ||
                      (options.strict && count(findings, checker::Severity::warning) > 0);
  write_output(options.output, report(options, reading.model, findings, failed));
  return failed ? 1 : 0;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "check",
      "Finds the faults of a choreography before it runs: events nobody emits or hears, sagas that "
      "cannot end, failures that\n"
      "undo too little, compensations after the pivot, steps that may not say no, cycles without a "
      "bound, two who decide.\n\n"
      "  quadrille check contracts/shop\n"
      "  quadrille check contracts/shop --format sarif -o findings.sarif\n"
      "  quadrille check nats://127.0.0.1:4222                     what runs there, all versions\n"
      "  quadrille check contracts/shop --server nats://127.0.0.1:4222 --database-url 'host=... dbname=payment'\n"
      "  quadrille check contracts --write-baseline known.json     a legacy estate: accept what is\n"
      "  quadrille check contracts --baseline known.json           there, fail on what is new\n"
      "  quadrille check contracts --policy policy.textproto       severities and waivers, such as\n"
      "      rule { code: \"QDR178\" severity: OFF }\n"
      "      waiver { code: \"QDR172\" about: \"shop.order.v1.OrderPlaced.email\" reason: \"...\"\n"
      "               owner: \"...\" expires: \"2027-03-31\" }\n\n"
      "Exit code: 0 good, 1 errors (with --strict warnings too), 2 the contracts are not there.");
  options->contracts.add_to(*command);
  command->add_option("--format", options->format, "text, json, sarif (2.1.0, for code scanning) or junit")
      ->check(CLI::IsMember({"text", "json", "sarif", "junit"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "File to write; default: standard output");
  command->add_flag("--strict", options->strict, "Warnings fail, too");
  command->add_flag("--metrics", options->metrics, "Also tells the numbers of each saga (json always does)");
  command->add_option("--cache", options->cache,
                      "Keeps here what unchanged .proto files say, for the next run; made where it is missing");
  command->add_option("--server", options->server,
                      "Also compares streams and consumers of this NATS server with what the contracts ask for");
  command->add_option("--as", options->as,
                      "With --server as the user of this participant: what it may publish, against its contract. Asks "
                      "with messages that nothing keeps");
  command->add_option("--database-url", options->database_url,
                      "Also looks at the settings of this PostgreSQL, as libpq takes it; its password by PGPASSWORD");
  command->add_option("--policy", options->policy, "Severities and waivers of your own (textproto)")
      ->check(CLI::ExistingFile);
  command->add_option("--baseline", options->baseline, "Findings that are known and do not count")
      ->check(CLI::ExistingFile);
  command->add_option("--write-baseline", options->write_baseline, "Writes the findings there are, to be known later");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quadrille::tool
