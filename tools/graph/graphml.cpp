#include "checker/xml_text.hpp"
#include "graph/drawing.hpp"

#include <map>

namespace quadrille::graph {
namespace {

using checker::xml_text;

const char* name_of(Kind kind) {
  static const std::map<Kind, const char*> names{{Kind::participant, "participant"},
                                                 {Kind::compensatable, "compensatable"},
                                                 {Kind::pivot, "pivot"},
                                                 {Kind::retriable, "retriable"},
                                                 {Kind::compensation, "compensation"},
                                                 {Kind::query, "query"},
                                                 {Kind::observer, "observer"},
                                                 {Kind::done, "done"},
                                                 {Kind::undone, "undone"},
                                                 {Kind::outside, "outside"}};
  return names.at(kind);
}

const char* name_of(Line line) {
  static const std::map<Line, const char*> names{{Line::forward, "forward"},
                                                 {Line::failure, "failure"},
                                                 {Line::timer, "timer"},
                                                 {Line::never, "never"},
                                                 {Line::undeclared, "undeclared"}};
  return names.at(line);
}

std::string data(const char* key, const std::string& value) {
  return "      <data key=\"" + std::string(key) + "\">" + xml_text(value) + "</data>\n";
}

}  // namespace

std::string as_graphml(const Drawing& drawing) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "  <key id=\"label\" for=\"all\" attr.name=\"label\" attr.type=\"string\"/>\n"
      "  <key id=\"kind\" for=\"all\" attr.name=\"kind\" attr.type=\"string\"/>\n"
      "  <graph id=\"" +
      xml_text(drawing.title) + "\" edgedefault=\"directed\">\n";
  for (const auto& node : drawing.nodes)
    text += "    <node id=\"" + xml_text(node.id) + "\">\n" + data("label", node.title) +
            data("kind", name_of(node.kind)) + "    </node>\n";
  for (const auto& edge : drawing.edges) {
    std::string label;
    for (const auto& one : edge.labels) label += (label.empty() ? "" : ", ") + one;
    text += "    <edge source=\"" + xml_text(edge.from) + "\" target=\"" + xml_text(edge.to) + "\">\n" +
            data("label", label) + data("kind", name_of(edge.line)) + "    </edge>\n";
  }
  return text + "  </graph>\n</graphml>\n";
}

}  // namespace quadrille::graph
