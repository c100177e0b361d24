#include "graph/drawing.hpp"

#include <map>
#include <stdexcept>

namespace quadrille::graph {
namespace {

// Mermaid shows "Syntax error in text" above 500 edges or 50,000 characters; nothing in a diagram can raise that.
constexpr std::size_t most_edges = 400;
constexpr std::size_t most_characters = 45'000;

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

}  // namespace

std::string as_mermaid(const Drawing& drawing) {
  const auto too_large = [&](const std::string& what) {
    return std::runtime_error(
        "the drawing has " + what +
        ", more than Mermaid shows; draw one saga (--view saga:NAME), or use --format dot or svg");
  };
  if (drawing.edges.size() > most_edges) throw too_large(std::to_string(drawing.edges.size()) + " edges");
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
    text += "  " + ids.at(edge.from) + (edge.line == Line::forward ? " -->|" : " -.->|") + label(edge.labels) + "| " +
            ids.at(edge.to) + "\n";
  if (text.size() > most_characters) throw too_large(std::to_string(text.size()) + " characters");
  return text;
}

}  // namespace quadrille::graph
