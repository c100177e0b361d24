#include "checker/check.hpp"
#include "checker/report.hpp"
#include "checker/sarif.hpp"
#include "core/time_text.hpp"
#include "evolution/evolution.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/contract_arguments.hpp"
#include "quadrille/commands/source_arguments.hpp"
#include "traffic/instances.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

namespace quadrille::tool {
namespace {

using checker::Contracts;
using checker::Finding;

struct Options {
  std::filesystem::path before;
  std::filesystem::path after;
  std::vector<std::filesystem::path> import_roots;
  std::string format = "text";
  traffic::Source traffic;
};

Contracts load(const Options& options, const std::filesystem::path& path) {
  return ContractArguments{{path}, options.import_roots, options.traffic.nats_credentials, options.traffic.tls_ca}
      .load();
}

bool any_error(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings,
                             [](const Finding& finding) { return finding.severity == checker::Severity::error; });
}

std::vector<Finding> changes(const evolution::Version& before, const evolution::Version& after) {
  auto findings = evolution::wire_changes(before, after);
  for (auto& finding : evolution::flow_changes(before.model, after.model)) findings.push_back(std::move(finding));
  for (auto& finding : evolution::order_findings(before.model, after.model)) findings.push_back(std::move(finding));
  return findings;
}

std::string order_text(const contract::Model& before, const contract::Model& after) {
  const auto order = evolution::deploy_order(before, after);
  if (order.empty()) return "nothing to deploy: no participant changed\n";
  std::string text = "deploy in this order:";
  for (const auto& name : order) text += " " + name;
  return text + "\n";
}

/// Sagas in flight that stand where the change is: steps named by an error, and what they wait for.
std::string stranded(const Options& options, const contract::Model& deployed, std::vector<Finding>& findings) {
  const checker::Graph graph(deployed);
  const auto sagas = checker::sagas(graph);
  const traffic::Declared declared(graph, sagas);
  traffic::Instances instances(declared);
  traffic::read(options.traffic, [&](const Event& event) { static_cast<void>(instances.take(event)); });
  std::size_t running = 0;
  std::map<std::string, std::vector<const traffic::Instance*>> waiting;
  for (const auto& instance : instances.all()) {
    if (instance.saga < 0 || instance.has_ended()) continue;
    ++running;
    for (const auto& wait : instances.waits_for(instance)) waiting[graph.full_name(wait.step)].push_back(&instance);
  }
  for (auto& finding : findings) {
    if (finding.code != "QDR174") continue;
    std::size_t count = 0;
    const traffic::Instance* oldest = nullptr;
    for (const auto& name : finding.about) {
      const auto found = waiting.find(name);
      if (found == waiting.end()) continue;
      count += found->second.size();
      for (const auto* instance : found->second)
        if (oldest == nullptr || instance->started < oldest->started) oldest = instance;
    }
    finding.message += count == 0 ? "; no saga in flight waits there now"
                                  : "; " + std::to_string(count) + " sagas in flight wait there, the oldest, " +
                                        oldest->saga_id + ", since " + to_rfc3339(oldest->started);
  }
  return std::to_string(running) + " sagas in flight\n";
}

int print(const Options& options, const std::vector<Finding>& findings, const std::string& closing) {
  if (options.format == "sarif")
    std::cout << checker::as_sarif(findings, QUADRILLE_VERSION);
  else
    std::cout << checker::as_text(findings, colour_on_output()) << closing;
  return any_error(findings) ? 1 : 0;
}

int run_diff(const Options& options) {
  const auto before = load(options, options.before);
  const auto after = load(options, options.after);
  if (report_faults(before) || report_faults(after)) return 1;
  const auto findings = changes({before.reading().model, before.pool()}, {after.reading().model, after.pool()});
  return print(options, findings, order_text(before.reading().model, after.reading().model));
}

int run_can_deploy(const Options& options) {
  const auto deployed = load(options, options.before);
  const auto candidate = load(options, options.after);
  if (report_faults(deployed) || report_faults(candidate)) return 1;
  const auto& old_model = deployed.reading().model;
  const auto together = evolution::merge(old_model, candidate.reading().model);
  // Only what the candidate brings is compared; what it leaves alone stays deployed.
  contract::Model compared = old_model;
  std::erase_if(compared.participants, [&](const contract::Participant& participant) {
    return candidate.reading().model.find_participant(participant.name) == nullptr;
  });
  std::erase_if(compared.events, [&](const auto& entry) {
    return candidate.reading().model.find_event(entry.first) == nullptr &&
           compared.find_participant(entry.second.context) == nullptr;
  });
  auto findings = evolution::wire_changes({compared, deployed.pool()}, {candidate.reading().model, candidate.pool()});
  for (auto& finding : evolution::flow_changes(compared, candidate.reading().model))
    findings.push_back(std::move(finding));
  for (auto& finding : evolution::order_findings(old_model, together)) findings.push_back(std::move(finding));
  std::string closing;
  const bool ask =
      !options.traffic.nats_url.empty() || !options.traffic.database_url.empty() || !options.traffic.file.empty();
  if (ask) closing += stranded(options, old_model, findings);
  contract::Reading reading;
  reading.model = together;
  // Consumers go first (QDR175): what they hear, nobody says yet.
  const auto heard_too_early = [&](const Finding& finding) {
    return finding.code == "QDR101" && std::ranges::any_of(finding.about, [&](const std::string& name) {
             return together.find_event(name) != nullptr && old_model.find_event(name) == nullptr;
           });
  };
  for (auto& finding : checker::check(reading)) {
    if (heard_too_early(finding)) {
      finding.severity = checker::Severity::warning;
      finding.hint = "nothing to do where the emitter follows: consumers are deployed first";
    }
    if (finding.severity >= checker::Severity::warning) findings.push_back(std::move(finding));
  }
  closing += order_text(old_model, together);
  closing += any_error(findings) ? "NO: it cannot be deployed as it is\n" : "yes: it can be deployed\n";
  return print(options, findings, closing);
}

void common(CLI::App& command, Options& options) {
  command
      .add_option("-I,--import-root", options.import_roots,
                  "What imports are relative to; default: found by looking upwards")
      ->check(CLI::ExistingDirectory);
  command.add_option("--format", options.format, "text or sarif")
      ->check(CLI::IsMember({"text", "sarif"}))
      ->capture_default_str();
}

}  // namespace

void add_diff(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "diff",
      "Tells what a new version of the contracts breaks: stored events and messages on their way (QDR173), sagas in "
      "flight (QDR174),\n"
      "and what has to be deployed before what (QDR175).\n\n"
      "  quadrille diff contracts/published/1.4.binpb contracts/shop\n\n"
      "Exit code: 0 nothing breaks, 1 something does, 2 the contracts are not there.");
  command->add_option("old", options->before, "Folder or descriptor set of what was")->required();
  command->add_option("new", options->after, "Folder or descriptor set of what shall be")->required();
  common(*command, *options);
  command->callback([options, &exit_code] { exit_code = run_diff(*options); });
}

void add_can_deploy(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "can-deploy",
      "Tells whether a candidate may be deployed beside what runs: the changes it brings, every rule of `check` on the "
      "two together,\n"
      "the order in which participants have to go, and, where recorded events are given, how many sagas in flight it "
      "would strand.\n\n"
      "  quadrille can-deploy contracts/shop/payment --deployed contracts/published/1.4.binpb\n"
      "  quadrille can-deploy new.binpb --deployed nats://127.0.0.1:4222 --nats-url nats://127.0.0.1:4222\n\n"
      "Exit code: 0 yes, 1 no, 2 it could not be told.");
  command->add_option("candidate", options->after, "Folder or descriptor set that shall be deployed")->required();
  command
      ->add_option("--deployed", options->before,
                   "Folder or descriptor set of what runs, or nats://HOST: what says so there")
      ->required();
  common(*command, *options);
  add_source(*command, options->traffic);
  command->callback([options, &exit_code] { exit_code = run_can_deploy(*options); });
}

}  // namespace quadrille::tool
