#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace quadrille::graph {

/// Mermaid shows "Syntax error in text" above 500 edges or 50,000 characters, and nothing in a diagram can raise that:
/// throws std::runtime_error with a way out well before.
inline void refuse_over_mermaids_limits(std::size_t characters, std::size_t edges) {
  constexpr std::size_t most_edges = 400;
  constexpr std::size_t most_characters = 45'000;
  if (edges <= most_edges && characters <= most_characters) return;
  throw std::runtime_error(
      "the drawing has " +
      (edges > most_edges ? std::to_string(edges) + " edges" : std::to_string(characters) + " characters") +
      ", more than Mermaid shows; draw one saga (--view saga:NAME) or what is around one event "
      "(--view event:NAME), or use --format dot, svg or html");
}

}  // namespace quadrille::graph
