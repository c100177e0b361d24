#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace quadrille::tool {

/// Of whoever is logged in, also behind sudo.
[[nodiscard]] std::string login_name();

/// Who acts, and why, as commands that act take it.
struct Person {
  std::string who;
  std::string why;

  void add_to(CLI::App& command);
  /// Throws where it is not said why.
  void check() const;
};

}  // namespace quadrille::tool
