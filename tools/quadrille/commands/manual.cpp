#include "runtime/manual.hpp"

#include "core/version.hpp"
#include "data/data_folder.hpp"
#include "quadrille/commands/commands.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  std::string format = "man";
  std::filesystem::path folder;
};

/// A default that depends on where the tool is, as it is where the package puts it.
std::string without_own_folders(std::string text) {
  const auto own = data::folder("migrations").string();
  for (auto at = text.find(own); at != std::string::npos; at = text.find(own))
    text.replace(at, own.size(), "/usr/share/quadrille/migrations");
  return text;
}

void run(const CLI::App& app, const Options& options) {
  const auto format = options.format == "man" ? runtime::ManualFormat::roff : runtime::ManualFormat::markdown;
  const runtime::ManualEdition edition{std::string(version()), std::string(commit_date())};
  auto pages = runtime::shown_commands(app);
  pages.insert(pages.begin(), &app);
  for (const auto* page : pages) {
    const auto text = without_own_folders(runtime::manual_page(*page, format, edition));
    if (options.folder.empty()) {
      std::cout << (page == &app ? "" : "\n") << text;
      continue;
    }
    std::filesystem::create_directories(options.folder);
    const auto file =
        options.folder / (runtime::manual_name(*page) + (format == runtime::ManualFormat::roff ? ".1" : ".md"));
    if (!(std::ofstream(file) << text)) throw std::runtime_error("cannot write " + file.string() + " (--folder)");
  }
}

}  // namespace

void add_manual(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("manual",
                                     "The manual of this tool, one page a command, made of what --help says.\n\n"
                                     "  quadrille manual --folder man1          pages for man(1)\n"
                                     "  quadrille manual --format markdown      all of it as one page");
  command->add_option("--format", options->format, "man or markdown")
      ->check(CLI::IsMember({"man", "markdown"}))
      ->capture_default_str();
  command->add_option("--folder", options->folder, "Writes a file a command there; default: all of it is printed");
  command->callback([&app, options] { run(app, *options); });
}

}  // namespace quadrille::tool
