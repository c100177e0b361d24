#pragma once

#include "checker/finding.hpp"
#include "checker/graph.hpp"
#include "checker/saga_flow.hpp"

#include <string>
#include <utility>
#include <vector>

/// The rules, by family. Each adds what it finds. Sources of the rules: Microservices Patterns (compensatable, pivot,
/// retriable); Zhang et al. 1994 (flexible transactions); Aiken et al. 1995 (termination and confluence of rule sets);
/// Sadiq and Orlowska 1999 (joins fed by the wrong kind of split); Ben-Abdallah and Leue 1997 (non-local choice); Seata
/// (empty rollback, suspension); Streett emptiness for loops with counters.
namespace quadrille::checker {

struct Context {
  const Graph& graph;
  const std::vector<SagaFlow>& sagas;
  std::vector<Finding>& findings;

  using Nodes = std::vector<Graph::Node>;
  /// About nodes of the graph; its place is that of the first.
  void add(const char* code, Severity severity, const Nodes& about, std::string message, std::string hint,
           std::vector<Station> witness = {}, const std::string& saga = "") const {
    std::vector<std::string> names;
    for (const auto node : about) names.push_back(graph.full_name(node));
    findings.push_back({code, severity, graph.location(about.front()), std::move(message), std::move(hint),
                        std::move(witness), std::move(names), saga});
  }
};

// Wiring
void check_wiring(const Context& context);    // QDR101 QDR102 QDR103 QDR109 QDR176
void check_subjects(const Context& context);  // QDR104 QDR105 QDR106 QDR107 QDR108
// Flow
void check_flow(const Context& context);   // QDR110 QDR111 QDR112
void check_joins(const Context& context);  // QDR113 QDR114 QDR115
void check_size(const Context& context);   // QDR117 QDR180
// Saga semantics
void check_compensation(const Context& context);   // QDR121 QDR122 QDR124 QDR125 QDR126 QDR128
void check_undo_design(const Context& context);    // QDR123 QDR181
void check_pivot(const Context& context);          // QDR127 QDR130 QDR131 QDR132
void check_step_kinds(const Context& context);     // QDR129 QDR134
void check_orchestration(const Context& context);  // QDR135 QDR136 QDR137 QDR138 QDR139
// Cycles, races, time
void check_cycles(const Context& context);  // QDR140 QDR141 QDR142 QDR143 QDR144
void check_races(const Context& context);   // QDR133 QDR160 QDR161 QDR164 QDR165
void check_timing(const Context& context);  // QDR116 QDR162 QDR163
// Data, holds, configuration, care
void check_data(const Context& context);           // QDR150 QDR170 QDR171 QDR172 QDR177
void check_holds(const Context& context);          // QDR151 QDR152
void check_configuration(const Context& context);  // QDR190 QDR191 QDR192
void check_care(const Context& context);           // QDR178

}  // namespace quadrille::checker
