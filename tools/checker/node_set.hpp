#pragma once

#include <algorithm>
#include <vector>

namespace quadrille::checker {

/// Node numbers, ascending. Small, dense to walk, cheap to look up: an estate has a million of them.
class NodeSet {
 public:
  NodeSet() = default;
  explicit NodeSet(std::vector<int> nodes) : nodes_(std::move(nodes)) {
    std::ranges::sort(nodes_);
    nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  }
  [[nodiscard]] bool contains(int node) const { return std::ranges::binary_search(nodes_, node); }
  /// Place of a node that is contained.
  [[nodiscard]] std::size_t place(int node) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(nodes_, node) - nodes_.begin());
  }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  [[nodiscard]] int operator[](std::size_t place) const { return nodes_[place]; }
  [[nodiscard]] auto begin() const { return nodes_.begin(); }
  [[nodiscard]] auto end() const { return nodes_.end(); }

 private:
  std::vector<int> nodes_;
};

}  // namespace quadrille::checker
