#include "quadrille/called_environment.hpp"

namespace quadrille::tool {
namespace {

void forget_environment(CLI::App& app) {
  for (auto* option : app.get_options()) option->envname("");
  for (auto* below : app.get_subcommands({})) forget_environment(*below);
}

}  // namespace

void read_environment_of_called_only(CLI::App& app) {
  const auto all = app.get_subcommands({});
  for (auto* called : all) {
    read_environment_of_called_only(*called);
    if (called->get_name() == "manual") continue;  // tells the variables of all
    called->preparse_callback([all, called](std::size_t) {
      for (auto* other : all)
        if (other != called) forget_environment(*other);
    });
  }
}

}  // namespace quadrille::tool
