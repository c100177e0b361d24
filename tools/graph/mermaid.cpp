#include "graph/drawing.hpp"
#include "graph/mermaid_limits.hpp"

#include <map>

namespace quadrille::graph {
namespace {

/// A label in quotes: renderers mishandle < and >, and a quote is an entity.
std::string label(const std::vector<std::string>& texts) {
  std::string result = "\"";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) result += ", ";
    for (const char c : texts[i]) {
      switch (c) {
        case '"':
          result += "#quot;";
          break;
        case '<':
          result += "#lt;";
          break;
        case '>':
          result += "#gt;";
          break;
        case '#':
          result += "#35;";
          break;
        default:
          result += c;
      }
    }
  }
  return result + "\"";
}

struct Shape {
  const char* open;
  const char* close;
};

Shape shape(Kind kind) {
  static const std::map<Kind, Shape> shapes{{Kind::participant, {"[", "]"}},    {Kind::compensatable, {"[", "]"}},
                                            {Kind::pivot, {"{{", "}}"}},        {Kind::retriable, {"(", ")"}},
                                            {Kind::compensation, {"[/", "/]"}}, {Kind::query, {"{", "}"}},
                                            {Kind::observer, {"([", "])"}},     {Kind::done, {"((", "))"}},
                                            {Kind::undone, {"((", "))"}},       {Kind::outside, {"[", "]"}}};
  return shapes.at(kind);
}

const char* arrow(Line line) {
  switch (line) {
    case Line::forward:
      return " -->|";
    case Line::undeclared:
      return " ==>|";
    default:
      return " -.->|";
  }
}

}  // namespace

std::string as_mermaid(const Drawing& drawing) {
  std::map<std::string, std::string> ids;  // never an id of the contract's: `end` is a word of Mermaid's
  std::string text = "flowchart LR\n";
  for (const auto& node : drawing.nodes) {
    const auto id = "n" + std::to_string(ids.size() + 1);
    ids[node.id] = id;
    const auto [open, close] = shape(node.kind);
    text += "  " + id + open + label({node.subtitle.empty() ? node.title : node.title + " (" + node.subtitle + ")"}) +
            close + "\n";
  }
  for (const auto& edge : drawing.edges)
    text += "  " + ids.at(edge.from) + arrow(edge.line) + label(edge.labels) + "| " + ids.at(edge.to) + "\n";
  refuse_over_mermaids_limits(text.size(), drawing.edges.size());
  return text;
}

}  // namespace quadrille::graph
