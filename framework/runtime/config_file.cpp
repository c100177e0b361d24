#include "runtime/config_file.hpp"

namespace quadrille::runtime {

void apply_config_file(CLI::App& app, const std::string& file) {
  for (const auto& item : app.get_config_formatter_base()->from_file(file)) {
    auto* option = app.get_option_no_throw("--" + item.name);
    if (option == nullptr)
      throw CLI::ConfigError("--config " + file + ": there is no setting '" + item.name + "'; --help lists them",
                             CLI::ExitCodes::ConfigError);
    if (option->count() > 0) continue;
    option->add_result(item.inputs);
    option->run_callback();
  }
}

}  // namespace quadrille::runtime
