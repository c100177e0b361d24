#include "quadrille/commands/person.hpp"

#include <cstdlib>
#include <unistd.h>

namespace quadrille::tool {

std::string login_name() {
  for (const auto* variable : {"SUDO_USER", "USER", "LOGNAME"})
    if (const auto* name = std::getenv(variable); name != nullptr && *name != '\0') return name;
  return "uid " + std::to_string(getuid());
}

void Person::add_to(CLI::App& command) {
  who = login_name();
  command.add_option("--who,--by", who, "Who decides, for the audit trail and ActTaken")->capture_default_str();
  command.add_option("--why,--because", why, "Why, for both");
}

void Person::check() const {
  if (why.empty()) throw CLI::RequiredError("--why (an act is recorded with its reason)");
}

}  // namespace quadrille::tool
