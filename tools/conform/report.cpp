#include "conform/conformance.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace quadrille::conform {
namespace {

using nlohmann::ordered_json;

std::string edge_text(const std::array<Graph::Node, 3>& edge, const Graph& graph) {
  return (edge[0] < 0 ? std::string("-") : graph.event(edge[0]).short_name) + " -> " + graph.label(edge[1]) + " -> " +
         graph.event(edge[2]).short_name;
}

std::string milliseconds(std::chrono::microseconds time) {
  const auto tenths = (time.count() + 50) / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(std::abs(tenths % 10)) + " ms";
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string fitness_text(double fitness) {
  const auto thousandths = static_cast<int>(std::floor(fitness * 1000));  // never rounded up to a perfect one
  auto digits = std::to_string(1000 + thousandths % 1000).substr(1);
  return std::to_string(thousandths / 1000) + "." + digits;
}

}  // namespace

std::string as_text(const Report& report, const Graph& graph) {
  std::string text = std::to_string(report.events) + " events of " + std::to_string(report.instances) +
                     " sagas: " + std::to_string(report.completed) + " completed, " + std::to_string(report.cancelled) +
                     " cancelled, " + std::to_string(report.running) + " running\nfitness " +
                     fitness_text(report.fitness) + "\n" +
                     (report.unrecorded_causes == 0
                          ? ""
                          : std::to_string(report.unrecorded_causes) +
                                " events have their cause outside of what was read and are not judged by it\n") +
                     "\n";
  std::size_t width = 0;
  for (const auto& [edge, use] : report.edges) width = std::max(width, edge_text(edge, graph).size());
  for (const auto& [edge, use] : report.edges)
    text += padded(edge_text(edge, graph), width) + "  " +
            (use.count == 0 ? "never"
                            : padded(std::to_string(use.count), 9) +
                                  (edge[0] < 0 ? ""
                                               : " p50 " + milliseconds(use.p50) + "  p90 " + milliseconds(use.p90) +
                                                     "  p99 " + milliseconds(use.p99))) +
            "\n";
  for (const auto& [edge, count] : report.undeclared)
    text += padded(edge, width) + "  " + std::to_string(count) + " UNDECLARED\n";
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < std::min(most, report.variants.size()); ++i)
    text += (i == 0 ? "\nways sagas went\n" : "") + std::string("  ") +
            padded(std::to_string(report.variants[i].count), 8) + " " + report.variants[i].path + "\n";
  if (report.variants.size() > most) text += "  and " + std::to_string(report.variants.size() - most) + " rarer ways\n";
  return text + "\n";
}

std::string as_json(const Report& report, const Graph& graph) {
  auto edges = ordered_json::array();
  for (const auto& [edge, use] : report.edges)
    edges.push_back({{"cause", edge[0] < 0 ? "" : graph.event(edge[0]).name},
                     {"step", graph.full_name(edge[1])},
                     {"event", graph.event(edge[2]).name},
                     {"count", use.count},
                     {"p50_us", use.p50.count()},
                     {"p90_us", use.p90.count()},
                     {"p99_us", use.p99.count()}});
  auto variants = ordered_json::array();
  for (const auto& variant : report.variants)
    variants.push_back({{"saga", variant.saga}, {"path", variant.path}, {"count", variant.count}});
  auto findings = ordered_json::array();
  for (const auto& finding : report.findings)
    findings.push_back({{"code", finding.code},
                        {"severity", name_of(finding.severity)},
                        {"message", finding.message},
                        {"hint", finding.hint},
                        {"about", finding.about},
                        {"fingerprint", fingerprint(finding)}});
  return ordered_json{{"schema", "quadrille-conform/1"},
                      {"events", report.events},
                      {"instances", report.instances},
                      {"completed", report.completed},
                      {"cancelled", report.cancelled},
                      {"running", report.running},
                      {"fitness", report.fitness},
                      {"unrecorded_causes", report.unrecorded_causes},
                      {"edges", edges},
                      {"undeclared", report.undeclared},
                      {"variants", variants},
                      {"findings", findings}}
             .dump(2) +
         "\n";
}

}  // namespace quadrille::conform
