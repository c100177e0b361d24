#pragma once

/// Everything a service author needs beside the generated header.
#include "quadrille/edge.hpp"         // IWYU pragma: export
#include "quadrille/error.hpp"        // IWYU pragma: export
#include "quadrille/participant.hpp"  // IWYU pragma: export
#include "quadrille/run.hpp"          // IWYU pragma: export
#include "quadrille/step.hpp"         // IWYU pragma: export
#include "quadrille/upcast.hpp"       // IWYU pragma: export
