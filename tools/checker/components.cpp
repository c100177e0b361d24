#include "checker/components.hpp"

#include <algorithm>

namespace quadrille::checker {
namespace {

class Tarjan {
 public:
  Tarjan(const Graph& graph, const std::function<bool(Graph::Node)>& in)
      : graph_(graph),
        in_(in),
        index_(static_cast<std::size_t>(graph.size()), -1),
        low_(index_.size(), 0),
        on_stack_(index_.size(), false) {}

  std::vector<std::vector<Graph::Node>> run() {
    for (Graph::Node node = 0; node < graph_.size(); ++node)
      if (in_(node) && index_[at(node)] < 0) visit(node);
    return std::move(components_);
  }

 private:
  struct Frame {
    Graph::Node node;
    std::size_t follower = 0;
  };
  static std::size_t at(Graph::Node node) { return static_cast<std::size_t>(node); }

  void enter(Graph::Node node) {
    index_[at(node)] = low_[at(node)] = counter_++;
    stack_.push_back(node);
    on_stack_[at(node)] = true;
    frames_.push_back({node});
  }

  void visit(Graph::Node root) {
    enter(root);
    while (!frames_.empty()) {
      auto& frame = frames_.back();
      const auto node = frame.node;
      if (frame.follower < graph_.next(node).size()) {
        const auto follower = graph_.next(node)[frame.follower++];
        if (!in_(follower)) continue;
        if (index_[at(follower)] < 0)
          enter(follower);
        else if (on_stack_[at(follower)])
          low_[at(node)] = std::min(low_[at(node)], index_[at(follower)]);
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) low_[at(frames_.back().node)] = std::min(low_[at(frames_.back().node)], low_[at(node)]);
      if (low_[at(node)] == index_[at(node)]) close(node);
    }
  }

  void close(Graph::Node root) {
    std::vector<Graph::Node> component;
    Graph::Node node = -1;
    do {
      node = stack_.back();
      stack_.pop_back();
      on_stack_[at(node)] = false;
      component.push_back(node);
    } while (node != root);
    const bool loop = std::ranges::find(graph_.next(root), root) != graph_.next(root).end();
    if (component.size() < 2 && !loop) return;
    std::ranges::sort(component);
    components_.push_back(std::move(component));
  }

  const Graph& graph_;
  const std::function<bool(Graph::Node)>& in_;
  std::vector<int> index_;
  std::vector<int> low_;
  std::vector<bool> on_stack_;
  std::vector<Graph::Node> stack_;
  std::vector<Frame> frames_;
  int counter_ = 0;
  std::vector<std::vector<Graph::Node>> components_;
};

}  // namespace

std::vector<std::vector<Graph::Node>> cyclic_components(const Graph& graph,
                                                        const std::function<bool(Graph::Node)>& in) {
  return Tarjan(graph, in).run();
}

std::vector<Graph::Node> shortest_cycle(const Graph& graph, Graph::Node node,
                                        const std::function<bool(Graph::Node)>& in) {
  std::vector<Graph::Node> followers;
  for (const auto follower : graph.next(node))
    if (in(follower)) followers.push_back(follower);
  auto back = graph.path(
      followers, [&](Graph::Node other) { return other == node; }, [&](Graph::Node other) { return !in(other); });
  if (!back.empty()) back.insert(back.begin(), node);
  return back;
}

}  // namespace quadrille::checker
