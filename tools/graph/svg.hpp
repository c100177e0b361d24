#pragma once

#include "graph/drawing.hpp"

namespace quadrille::graph {

/// The style sheet of our drawings, for elements inside one of class "drawing": light, and dark where the reader
/// prefers it.
[[nodiscard]] const char* svg_style();

}  // namespace quadrille::graph
