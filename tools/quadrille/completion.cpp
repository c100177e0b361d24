#include "quadrille/completion.hpp"

#include <sstream>

namespace quadrille::tool {
namespace {

/// Of every command below: a case that enters it, and a case with its words.
void add(const CLI::App& app, const std::string& path, std::ostream& enter, std::ostream& words) {
  words << "    '" << path << "') words='";
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    words << command->get_name() << " ";
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) words << "--" << name << " ";
  words << "' ;;\n";
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    const auto below = path + " " + command->get_name();
    enter << "      '" << below << "') path=\"$path $word\" ;;\n";
    add(*command, below, enter, words);
  }
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::ostringstream enter;
  std::ostringstream words;
  add(app, app.get_name(), enter, words);
  return "# bash completion of " + app.get_name() +
         ", by `quadrille completion`\n_quadrille() {\n  local path=quadrille word words=\n  for word in "
         "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case \"$path $word\" in\n" +
         enter.str() + "    esac\n  done\n  case $path in\n" + words.str() +
         "  esac\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n}\ncomplete -o "
         "default -F _quadrille quadrille\n";
}

}  // namespace quadrille::tool
