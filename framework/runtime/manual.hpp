#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace quadrille::runtime {

enum class ManualFormat { roff, markdown };

/// What a page says beside what the program says of itself.
struct ManualEdition {
  std::string version;
  std::string date;  ///< ISO 8601; may be empty
};

/// The manual page of a program or of one of its commands, made of what its --help is made of. Of a program with
/// commands it lists these; of a command it holds those below it too. Hidden options and commands (group "") are left
/// out. In a description, lines that begin with two spaces are examples and `Exit code:` begins the exit status.
[[nodiscard]] std::string manual_page(const CLI::App& app, ManualFormat format, const ManualEdition& edition);

/// `quadrille-saga` of the command `quadrille saga`: what its page is called.
[[nodiscard]] std::string manual_name(const CLI::App& app);

/// Commands that are shown, in the order of their names.
[[nodiscard]] std::vector<const CLI::App*> shown_commands(const CLI::App& app);

}  // namespace quadrille::runtime
