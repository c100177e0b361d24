#pragma once

#include "checker/finding.hpp"
#include "traffic/instances.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

/// Recorded traffic held against the declared graph. Causes are recorded with the events, so nothing is guessed: each
/// instance is replayed as tokens (van der Aalst), never aligned.
namespace quadrille::conform {

using traffic::Graph;

/// How a step's answers to one event looked.
struct EdgeUse {
  std::uint64_t count = 0;
  std::chrono::microseconds p50{0};
  std::chrono::microseconds p90{0};
  std::chrono::microseconds p99{0};
};

/// Where an instance went: its events in order of cause, by short name.
struct Variant {
  std::string saga;
  std::string path;
  std::uint64_t count = 0;
};

struct Report {
  std::uint64_t events = 0;
  std::uint64_t instances = 0;
  std::uint64_t completed = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t running = 0;
  std::uint64_t unrecorded_causes = 0;  ///< events of whose cause the source knows nothing: not judged by it
  double fitness = 1.0;                 ///< share of tokens that neither were missing nor remained, 0 to 1
  /// By (cause event, step, event said); the cause is -1 for timers and commands. Declared edges never seen have count
  /// 0.
  std::map<std::array<Graph::Node, 3>, EdgeUse> edges;
  /// Undeclared ones that were seen, `CheckoutTimedOut -> payment -> PaymentVoided`.
  std::map<std::string, std::uint64_t> undeclared;
  std::vector<Variant> variants;  ///< most frequent first
  std::vector<checker::Finding> findings;
};

/// Takes events in the order of the source, then judges. The graph and the views outlive it.
class Conformance {
 public:
  /// `fingerprints`: of the contracts the graph was made from; empty: QDR210 is not judged.
  Conformance(const Graph& graph, const std::vector<checker::SagaView>& sagas, std::set<std::string> fingerprints);

  void take(const Event& event);
  /// `now`: for what is past its deadline.
  [[nodiscard]] Report finish(TimePoint now);

  [[nodiscard]] const traffic::Instances& instances() const { return instances_; }

 private:
  /// The same fault in many instances is one finding with a number and an example.
  struct Tally {
    checker::Severity severity;
    std::string what;
    std::string hint;
    std::vector<std::string> about;
    contract::Location location;
    std::string saga;
    std::uint64_t count = 0;
    std::string example;
  };
  void tally(const char* code, checker::Severity severity, const std::string& what, const std::string& hint,
             const std::vector<Graph::Node>& about, const std::string& saga_id, const std::string& saga = "");

  void judge_event(const Event& event, const traffic::Instances::Added& added);
  void judge_order(const Event& event, const traffic::Instances::Added& added);
  void judge_instance(const traffic::Instance& instance, TimePoint now, Report& report);
  void judge_pivot_and_undo(const traffic::Instance& instance, const std::string& saga);
  void judge_loops(const traffic::Instance& instance, const std::string& saga);
  void judge_repetition(const traffic::Instance& instance, const std::string& saga);
  void never_seen(Report& report);

  const Graph& graph_;
  const std::vector<checker::SagaView>& sagas_;
  std::vector<std::uint64_t> hop_limits_;                  ///< by saga
  std::set<std::pair<Graph::Node, Graph::Node>> decides_;  ///< pivot and what it says when it goes ahead
  std::set<std::string> fingerprints_;
  const traffic::Declared declared_;
  traffic::Instances instances_;
  std::uint64_t events_ = 0;
  std::uint64_t produced_ = 0;
  std::uint64_t consumed_ = 0;
  std::uint64_t missing_ = 0;
  std::uint64_t unrecorded_ = 0;
  std::uint64_t remaining_ = 0;
  std::map<std::array<Graph::Node, 3>, std::vector<std::int64_t>> delays_;
  std::map<std::string, std::uint64_t> undeclared_;
  std::unordered_map<std::string, std::size_t> bytes_;  ///< hash of each event's payload by id
  struct Heard {
    std::uint64_t cause_version = 0;
    std::uint64_t own_version = 0;
  };
  std::unordered_map<std::string, Heard> heard_;  ///< by participant and stream of the cause
  struct Origin {
    std::string stream;
    std::uint64_t version;
  };
  std::unordered_map<std::string, Origin> origins_;  ///< stream and version of each event by id
  std::map<std::string, Tally> tallies_;
};

/// For people: numbers, edges with their percentiles, variants.
[[nodiscard]] std::string as_text(const Report& report, const Graph& graph);
/// For machines: the same, with the findings.
[[nodiscard]] std::string as_json(const Report& report, const Graph& graph);

}  // namespace quadrille::conform
