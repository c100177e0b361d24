#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace quadrille::runtime {

/// What every program has that is configured: settings by flag, environment variable and file, in that order of weight,
/// and --config, --print-config and --version; hidden, --manual, which prints its own page. A setting is an option with
/// an environment variable; in the file it has the option's name without dashes. (CLI11's own configuration files would
/// win over the environment.)
class Configuration {
 public:
  /// Adds its flags to `app`, which has to outlive it.
  explicit Configuration(CLI::App& app);

  /// Two settings that are of no use without each other.
  void together(const std::string& one, const std::string& other) { together_.emplace_back(one, other); }
  /// A setting that has no default.
  void required(const std::string& name) { required_.push_back(name); }

  /// Reads all settings. An exit code where the process is to end: 0 after --help, --version or --print-config, 2 after
  /// an error, which it has printed with setting, value, where that came from and what the setting takes.
  [[nodiscard]] std::optional<int> read(int argc, char** argv);

  /// Every setting as the file would have it, passwords left out, and where each value came from.
  [[nodiscard]] std::string text() const;

 private:
  void apply_file();
  void check() const;
  [[nodiscard]] bool given_by_flag(const CLI::Option& option) const;
  [[nodiscard]] std::string origin(const CLI::Option& option) const;
  /// What a person needs to mend it, beside the sentence of the error.
  [[nodiscard]] std::string explanation(const std::string& error) const;
  [[nodiscard]] int complain(const std::string& error) const;

  CLI::App& app_;
  std::string file_;
  std::string manual_;
  bool print_ = false;
  std::map<const CLI::Option*, bool> in_file_;  ///< true: and its value is the one that holds
  std::vector<std::pair<std::string, std::string>> together_;
  std::vector<std::string> required_;
};

}  // namespace quadrille::runtime
