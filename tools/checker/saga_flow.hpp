#pragma once

#include "checker/graph.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace quadrille::checker {

/// A set of small numbers as bits.
class Bits {
 public:
  explicit Bits(std::size_t size = 0) : words_((size + 63) / 64, 0) {}
  void set(std::size_t at) { words_[at / 64] |= std::uint64_t{1} << (at % 64); }
  [[nodiscard]] bool test(std::size_t at) const { return (words_[at / 64] >> (at % 64) & 1U) != 0; }
  void merge(const Bits& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// What may come after and beside what in one saga. Paths do not go on past an END event. Costs the square of the
/// saga's nodes in bits; sagas are small, and one over `largest` is not analysed (QDR117 says so).
class SagaFlow {
 public:
  static constexpr std::size_t largest = 20'000;

  SagaFlow(const Graph& graph, const SagaView& saga);

  [[nodiscard]] const SagaView& saga() const { return saga_; }
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const std::vector<Graph::Node>& steps() const { return steps_; }
  [[nodiscard]] const std::vector<Graph::Node>& events() const { return events_; }
  /// Steps of a kind, in model order.
  [[nodiscard]] std::vector<Graph::Node> steps_of(v1::StepKind kind) const;

  /// A way leads from one to the other (from a node to itself always).
  [[nodiscard]] bool reaches(Graph::Node from, Graph::Node to) const;
  /// Both may happen in one run, on branches that a parallel split began.
  [[nodiscard]] bool beside(Graph::Node one, Graph::Node other) const;
  /// Both may happen in one run.
  [[nodiscard]] bool together(Graph::Node one, Graph::Node other) const {
    return reaches(one, other) || reaches(other, one) || beside(one, other);
  }
  /// A shortest way to `to` that enters nothing `avoided`, nor a join of all one of whose events comes only by what is
  /// avoided; empty when there is none.
  [[nodiscard]] std::vector<Graph::Node> way_without(const std::vector<Graph::Node>& from, Graph::Node to,
                                                     const std::function<bool(Graph::Node)>& avoided) const;
  /// One run takes the way to the one or to the other: both follow from one beginning, on branches of a choice.
  [[nodiscard]] bool exclude_each_other(Graph::Node one, Graph::Node other) const;
  /// The pivot itself and the steps it settles: there, in one aggregate, the first one wins.
  [[nodiscard]] bool settled_by(Graph::Node pivot, Graph::Node node) const;
  /// One of the two is named in the other's `settles`.
  [[nodiscard]] bool settle_each_other(Graph::Node one, Graph::Node other) const;
  /// Outside the saga, or behind one of its ENDs: where searches of this saga stop.
  [[nodiscard]] bool outside(Graph::Node node) const { return !saga_.nodes.contains(node); }

 private:
  void find_ways();
  void find_parallel();

  const Graph& graph_;
  const SagaView& saga_;
  std::vector<Graph::Node> steps_;
  std::vector<Graph::Node> events_;
  std::vector<Bits> reach_;
  std::vector<Bits> beside_;
};

/// The compensation of a step; -1 where it has none.
[[nodiscard]] Graph::Node compensation_of(const Graph& graph, const contract::Step& step);

}  // namespace quadrille::checker
