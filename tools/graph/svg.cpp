#include "embedded/child_process.hpp"
#include "graph/drawing.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace quadrille::graph {

std::string as_svg(const Drawing& drawing) {
  if (embedded::find_program("dot").empty())
    throw std::runtime_error(
        "SVG is drawn by Graphviz, which is not installed: apt-get install graphviz, or use --format dot or mermaid");
  const embedded::TemporaryFolder folder;
  const auto source = folder.path() / "drawing.dot";
  const auto result = folder.path() / "drawing.svg";
  std::ofstream(source) << as_dot(drawing);
  embedded::ChildProcess dot(
      {.arguments = {"dot", "-Tsvg", "-o", result.string(), source.string()}, .output = folder.path() / "log"});
  constexpr std::chrono::seconds patience{60};  // dot takes 69 s for 2,000 nodes: such a drawing helps nobody
  if (dot.wait(patience) != 0)
    throw std::runtime_error("Graphviz could not draw it within a minute; draw one saga, not the whole estate");
  std::ostringstream content;
  content << std::ifstream(result).rdbuf();
  return content.str();
}

}  // namespace quadrille::graph
