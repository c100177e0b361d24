#pragma once

#include "checker/finding.hpp"
#include "checker/graph.hpp"

#include <vector>

/// The rules, by family. Each adds what it finds. Sources of the rules: Microservices Patterns (compensatable, pivot,
/// retriable); Zhang et al. 1994 (flexible transactions); Aiken et al. 1995 (termination of rule sets by the triggering
/// graph); Ben-Abdallah and Leue 1997 (non-local choice); Seata (empty rollback, suspension); Streett emptiness for
/// loops with counters.
namespace quadrille::checker {

struct Context {
  const Graph& graph;
  const std::vector<SagaView>& sagas;
  std::vector<Finding>& findings;

  void add(const char* code, Severity severity, const contract::Location& location, std::string message,
           std::string hint, std::vector<std::string> witness = {}) const {
    findings.push_back({code, severity, location, std::move(message), std::move(hint), std::move(witness)});
  }
};

void check_wiring(const Context& context);        // QDR101 QDR102 QDR103
void check_flow(const Context& context);          // QDR110 QDR111
void check_compensation(const Context& context);  // QDR121 QDR122 QDR124 QDR125 QDR126 QDR128
void check_pivot(const Context& context);         // QDR127 QDR130 QDR131 QDR132
void check_cycles(const Context& context);        // QDR140 QDR141 QDR143 QDR144
void check_races(const Context& context);         // QDR133 QDR160 QDR161
void check_data(const Context& context);          // QDR170 QDR172

}  // namespace quadrille::checker
