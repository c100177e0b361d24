#pragma once

#include "support/program.hpp"

/// The files that compose/ is made of.
namespace quadrille {

inline std::filesystem::path compose(const std::string& path) { return root() / "compose" / path; }

}  // namespace quadrille
