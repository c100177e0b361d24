#include "graph/svg.hpp"

#include "checker/xml_text.hpp"
#include "core/utf8.hpp"
#include "graph/layout.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace quadrille::graph {
namespace {

constexpr double margin = 20;
constexpr double heading = 34;
constexpr double legend = 40;

std::string escaped(const std::string& text) { return checker::xml_text(to_text(text)); }

std::string text_at(double x, double y, const std::string& text, const char* look) {
  return "<text class=\"" + std::string(look) + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\">" + escaped(text) +
         "</text>";
}

std::string path(const char* look, const std::string& data) {
  return data.empty() ? "" : "<path class=\"" + std::string(look) + "\" d=\"" + data + "\"/>";
}

/// `data` names what is drawn, for pages that want to know what was clicked; it may be empty.
std::string group(const std::string& look, const std::string& data, const std::string& title,
                  const std::string& content) {
  return "<g class=\"" + look + "\"" + data + "><title>" + escaped(title) + "</title>" + content + "</g>\n";
}

std::string draw_node(const Node& node, const PlacedNode& placed) {
  const auto& box = placed.box;
  const auto [middle_x, middle_y] = middle_of_text(node.kind, box);
  const double lift = placed.subtitle.empty() ? 0 : line_height / 2;
  std::string content = path("border", border(node.kind, box)) + path("inner", inner_lines(node.kind, box)) +
                        text_at(middle_x, middle_y - lift + 4.5, placed.title, "title");
  if (!placed.subtitle.empty()) content += text_at(middle_x, middle_y + lift + 4, placed.subtitle, "small");
  return group(std::string("node ") + name_of(node.kind), " data-node=\"" + escaped(node.id) + "\"",
               node.subtitle.empty() ? node.title : node.title + " (" + node.subtitle + ")", content);
}

std::string joined(const std::vector<std::string>& texts) {
  std::string result;
  for (const auto& text : texts) result += (result.empty() ? "" : ", ") + text;
  return result;
}

std::string sentence(const Edge& edge) {
  return edge.from + " to " + edge.to + (edge.labels.empty() ? "" : ": " + joined(edge.labels)) +
         (edge.line == Line::failure ? " (failure)" : "");
}

std::string draw_edge(const Edge& edge, const PlacedEdge& placed) {
  std::string content = path("line", line_path(placed)) + path("head", head_path(placed));
  constexpr double line = 13;
  for (std::size_t i = 0; i < placed.lines.size(); ++i)
    content +=
        text_at(placed.label.middle_x(), placed.label.y + 11 + line * static_cast<double>(i), placed.lines[i], "small");
  return group(std::string("edge ") + name_of(edge.line),
               " data-from=\"" + escaped(edge.from) + "\" data-to=\"" + escaped(edge.to) + "\"", sentence(edge),
               content);
}

/// What the kinds of lines mean, for those that are there.
std::string draw_legend(const Drawing& drawing, double y) {
  const std::vector<std::pair<Line, const char*>> meanings{
      {Line::forward, "goes on"}, {Line::failure, "failure"}, {Line::timer, "time-out"}};
  const auto other = [&](const Edge& edge) { return edge.line != Line::forward; };
  if (std::ranges::none_of(drawing.edges, other)) return {};
  std::string content;
  double x = margin;
  for (const auto& [line, meaning] : meanings) {
    if (std::ranges::find(drawing.edges, line, &Edge::line) == drawing.edges.end()) continue;
    content += "<g class=\"edge " + std::string(name_of(line)) + "\">" +
               path("line", "M" + number(x) + " " + number(y) + "h36") +
               text_at(x + 42, y + 4, meaning, "small start") + "</g>";
    x += 60 + text_width(meaning, small_size);
  }
  return "<g class=\"legend\">" + content + "</g>\n";
}

std::string description(const Drawing& drawing) {
  std::string text = std::to_string(drawing.nodes.size()) + " nodes, " + std::to_string(drawing.edges.size()) +
                     " connections, from left to right.";
  for (const auto& edge : drawing.edges) text += " " + sentence(edge) + ".";
  return text;
}

}  // namespace

const char* svg_style() {
  return R"(.drawing{--ink:#1d2430;--line:#4a5565;--bad:#b3261e;--timer:#6b5b00;--paper:#ffffff;
--participant:#e3ebf8;--compensatable:#e3ebf8;--pivot:#ffe3a3;--retriable:#dcf1dc;--compensation:#fae0de;
--query:#efe3f7;--observer:#eeeeee;--done:#c5e8c5;--undone:#f6c9c5}
@media (prefers-color-scheme:dark){.drawing{--ink:#e8ebf0;--line:#a9b4c4;--bad:#ff8a80;--timer:#e0cc6a;--paper:#14181f;
--participant:#26344d;--compensatable:#26344d;--pivot:#5e4709;--retriable:#1f4226;--compensation:#562826;
--query:#412a52;--observer:#333840;--done:#1d5a2a;--undone:#7a2a25}}
.drawing text{font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",Arial,sans-serif;fill:var(--ink);text-anchor:middle}
.drawing .heading{font-size:16px;font-weight:600;text-anchor:start}
.drawing .title{font-size:13px;font-weight:600}
.drawing .small{font-size:11px}
.drawing .start{text-anchor:start}
.drawing .border{stroke:var(--ink);stroke-width:1.2;stroke-linejoin:round}
.drawing .inner{fill:none;stroke:var(--ink);stroke-width:1.2}
.drawing .participant .border{fill:var(--participant)}
.drawing .compensatable .border{fill:var(--compensatable)}
.drawing .pivot .border{fill:var(--pivot);stroke-width:2.4}
.drawing .retriable .border{fill:var(--retriable)}
.drawing .compensation .border{fill:var(--compensation);stroke-dasharray:6 3}
.drawing .query .border{fill:var(--query)}
.drawing .observer .border{fill:var(--observer)}
.drawing .done .border{fill:var(--done)}
.drawing .undone .border{fill:var(--undone)}
.drawing .outside .border{fill:none;stroke:none}
.drawing .edge .line{fill:none;stroke:var(--line);stroke-width:1.5}
.drawing .edge .head{fill:var(--line)}
.drawing .failure .line{stroke:var(--bad);stroke-dasharray:7 4}
.drawing .failure .head,.drawing .failure text{fill:var(--bad)}
.drawing .timer .line{stroke:var(--timer);stroke-dasharray:2 4;stroke-linecap:round;stroke-width:2}
.drawing .timer .head,.drawing .timer text{fill:var(--timer)}
)";
}

std::string as_svg(const Drawing& drawing, Style style) {
  const auto layout = lay_out(drawing);
  const double width = std::max(layout.width, text_width(drawing.title, 17) + 160) + 2 * margin;
  const double height = layout.height + heading + legend + 2 * margin;
  std::string text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" role=\"img\" aria-labelledby=\"t d\" "
      "viewBox=\"0 0 " +
      number(width) + " " + number(height) + "\" width=\"" + number(width) + "\" height=\"" + number(height) +
      "\">\n<title id=\"t\">" + escaped(drawing.title) + "</title>\n<desc id=\"d\">" + escaped(description(drawing)) +
      "</desc>\n" +
      (style == Style::inside ? std::string("<style>\n") + svg_style() + ".paper{fill:var(--paper)}\n</style>\n" : "") +
      "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n" +
      text_at(margin, margin + 12, drawing.title, "heading") + "\n<g transform=\"translate(" + number(margin) + " " +
      number(margin + heading) + ")\">\n";
  for (std::size_t i = 0; i < drawing.edges.size(); ++i) text += draw_edge(drawing.edges[i], layout.edges[i]);
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) text += draw_node(drawing.nodes[i], layout.nodes[i]);
  return text + "</g>\n" + draw_legend(drawing, height - margin) + "</svg>\n";
}

}  // namespace quadrille::graph
