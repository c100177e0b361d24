#include "checker/rule_book.hpp"
#include "data/data_folder.hpp"
#include "quadrille/commands/commands.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

namespace quadrille::tool {
namespace {

namespace fs = std::filesystem;

void list() {
  for (const auto& rule : checker::rule_book()) std::cout << rule.code << "  " << rule.title << "\n";
  std::cout << "\nquadrille explain QDR161   why it hurts, a contract with the fault, and the repaired one\n";
}

/// Where the examples are that the tests run: a folder a rule, with faulty/ and repaired/.
void print_example(const fs::path& folder, const char* heading) {
  if (!fs::exists(folder)) return;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    std::cout << "\n" << heading << " (" << entry.path().filename().string() << ")\n\n";
    std::istringstream lines(text.str());
    for (std::string line; std::getline(lines, line);) std::cout << (line.empty() ? "" : "    ") << line << "\n";
  }
}

/// Every rule as a page; tools/checker/RULES.md is this.
void print_page() {
  std::cout
      << "# Rules\n\nWhat `quadrille check`, `diff`, `can-deploy` and `conform` find. `quadrille explain CODE` "
         "shows a contract with the\nfault and its repaired neighbour. This page is written by `quadrille explain "
         "--page`.\n";
  for (const auto& rule : checker::rule_book())
    std::cout << "\n## " << rule.code << ": " << rule.title << "\n\n"
              << rule.why << "\n\nRepair: " << rule.repair << "\n";
}

int explain(const std::string& code) {
  const auto rule = checker::find_rule(code);
  if (!rule) {
    std::cerr << "quadrille: there is no rule " << code << "; `quadrille explain` lists them\n";
    return 2;
  }
  std::cout << rule->code << ": " << rule->title << "\n\nWhy it hurts\n  " << rule->why << "\n\nRepair\n  "
            << rule->repair << "\n";
  const auto examples = data::folder("rules") / code;
  print_example(examples / "faulty", "With the fault");
  print_example(examples / "repaired", "Repaired");
  return 0;
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  auto code = std::make_shared<std::string>();
  auto page = std::make_shared<bool>(false);
  auto* command =
      app.add_subcommand("explain",
                         "Tells what a rule of `quadrille check` finds, why it hurts in production, and how to repair "
                         "it, with a minimal contract\n"
                         "that has the fault and its repaired neighbour. Without a code it lists the rules.\n\n"
                         "  quadrille explain QDR161");
  command->add_option("code", *code, "Such as QDR161");
  command->add_flag("--page", *page, "Every rule as a page of Markdown");
  command->callback([code, page, &exit_code] {
    if (*page)
      print_page();
    else if (code->empty())
      list();
    else
      exit_code = explain(*code);
  });
}

}  // namespace quadrille::tool
