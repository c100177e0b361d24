#include "core/time_text.hpp"
#include "graph/drawing.hpp"

#include <algorithm>
#include <set>

namespace quadrille::graph {
namespace {

using checker::Graph;
using checker::SagaView;

/// Writes one saga; remembers what it has told.
class Outline {
 public:
  Outline(const Graph& graph, const SagaView& saga) : graph_(graph), saga_(saga) {}

  std::string write() {
    text_ = "saga " + saga_.name + "\n\n";
    happy_path();
    for (const auto node : saga_.nodes)
      if (!graph_.is_step(node) && graph_.event(node).failure) failure(node);
    for (const auto node : saga_.nodes)
      if (graph_.is_step(node) && graph_.step(node).start == contract::Start::timer) timer(node);
    return text_;
  }

 private:
  static constexpr std::size_t step_width = 22;

  [[nodiscard]] std::string ending(Graph::Node event) const {
    if (std::ranges::find(saga_.done, event) != saga_.done.end()) return "  => COMPLETED";
    if (std::ranges::find(saga_.undone, event) != saga_.undone.end()) return "  => CANCELLED";
    return "";
  }

  void line(const std::string& indent, Graph::Node step, Graph::Node event) {
    auto name = graph_.label(step);
    name.resize(std::max(step_width, name.size()), ' ');
    text_ += indent + name + " -> " + graph_.event(event).short_name +
             (graph_.step(step).kind == v1::PIVOT ? "   (pivot: no way back after this)" : "") + ending(event) + "\n";
  }

  /// Step and event in turn along a path.
  void chain(const std::string& indent, const std::vector<Graph::Node>& path) {
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      if (graph_.is_step(path[i]) && !graph_.is_step(path[i + 1])) line(indent, path[i], path[i + 1]);
  }

  void happy_path() {
    std::vector<Graph::Node> first;
    for (const auto start : saga_.starts)
      first.insert(first.end(), graph_.before(start).begin(), graph_.before(start).end());
    const auto path = graph_.path(
        first, [&](Graph::Node node) { return std::ranges::find(saga_.done, node) != saga_.done.end(); },
        [&](Graph::Node node) {
          return !saga_.nodes.contains(node) || (!graph_.is_step(node) && graph_.event(node).failure);
        });
    chain("  ", path);
  }

  [[nodiscard]] std::vector<Graph::Node> to_end(const std::vector<Graph::Node>& from) const {
    return graph_.path(
        from, [&](Graph::Node node) { return saga_.is_end(node); },
        [&](Graph::Node node) { return !saga_.nodes.contains(node); });
  }

  void failure(Graph::Node event) {
    std::string sayers;
    for (const auto step : graph_.before(event)) sayers += (sayers.empty() ? "" : " or ") + graph_.label(step);
    text_ += "\n  if " + sayers + " says " + graph_.event(event).short_name + ":\n";
    chain("    ", to_end({event}));
  }

  void timer(Graph::Node step) {
    for (const auto event : graph_.next(step)) {
      if (graph_.is_step(event)) continue;
      text_ += "\n  " + duration_text(graph_.step(step).timeout->after) + " after " +
               graph_.step(step).timeout->armed_by + ", if it still waits:\n";
      line("    ", step, event);
      for (const auto asked : graph_.next(event))
        for (const auto answer : graph_.next(asked)) line("    ", asked, answer);
    }
  }

  const Graph& graph_;
  const SagaView& saga_;
  std::string text_;
};

}  // namespace

std::string as_outline(const Graph& graph, const SagaView& saga) { return Outline(graph, saga).write(); }

}  // namespace quadrille::graph
