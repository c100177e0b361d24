#include "graph/drawing.hpp"

#include <map>

namespace quadrille::graph {
namespace {

/// A DOT string: survives quotes, backslashes and reserved words.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// Lines one below the other inside one DOT string.
std::string lines(const std::vector<std::string>& texts) {
  std::string result = "\"";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto one = quoted(texts[i]);
    result += (i == 0 ? "" : "\\n") + one.substr(1, one.size() - 2);
  }
  return result + "\"";
}

const char* look(Kind kind) {
  static const std::map<Kind, const char*> looks{
      {Kind::participant, "shape=box3d, fillcolor=\"#e8eef7\""},
      {Kind::compensatable, "shape=box, fillcolor=\"#e8eef7\""},
      {Kind::pivot, "shape=hexagon, fillcolor=\"#ffe3a8\", penwidth=2"},
      {Kind::retriable, "shape=box, style=\"filled,rounded\", fillcolor=\"#dff2df\""},
      {Kind::compensation, "shape=box, style=\"filled,dashed\", fillcolor=\"#f9dede\""},
      {Kind::query, "shape=diamond, fillcolor=\"#f1e6f7\""},
      {Kind::observer, "shape=ellipse, fillcolor=\"#f2f2f2\""},
      {Kind::done, "shape=doublecircle, fillcolor=\"#bfe3bf\""},
      {Kind::undone, "shape=doublecircle, fillcolor=\"#f2bcbc\""},
      {Kind::outside, "shape=plaintext, style=\"\""}};
  return looks.at(kind);
}

const char* look(Line line) {
  switch (line) {
    case Line::failure:
      return ", color=\"#b03030\", fontcolor=\"#b03030\", style=dashed";
    case Line::timer:
      return ", color=\"#555555\", fontcolor=\"#555555\", style=dotted";
    case Line::never:
      return ", color=\"#999999\", fontcolor=\"#777777\", style=dotted";
    case Line::undeclared:
      return ", color=\"#b03030\", fontcolor=\"#b03030\", penwidth=3";
    case Line::forward:
      return "";
  }
  return "";
}

}  // namespace

std::string as_dot(const Drawing& drawing) {
  std::string text = "digraph " + quoted(drawing.title) +
                     " {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", fontsize=11, style=filled];\n"
                     "  edge [fontname=\"sans-serif\", fontsize=9];\n";
  for (const auto& node : drawing.nodes)
    text += "  " + quoted(node.id) +
            " [label=" + (node.subtitle.empty() ? quoted(node.title) : lines({node.title, node.subtitle})) + ", " +
            look(node.kind) + "];\n";
  for (const auto& edge : drawing.edges)
    text += "  " + quoted(edge.from) + " -> " + quoted(edge.to) + " [label=" + lines(edge.labels) + look(edge.line) +
            "];\n";
  return text + "}\n";
}

}  // namespace quadrille::graph
