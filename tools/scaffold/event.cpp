#include "scaffold/step.hpp"
#include "scaffold/words.hpp"

#include <stdexcept>

namespace quadrille::scaffold {
namespace {

/// `seat:string` -> {seat, string}
std::pair<std::string, std::string> field_of(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos || colon + 1 == text.size())
    throw std::runtime_error("field '" + text + "' is not NAME:TYPE, such as seat:string or cents:uint64");
  check_lower_name(text.substr(0, colon), "field");
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::string options_of(const NewEvent& event) {
  std::string options;
  if (event.failure) options += "failure: true";
  if (!event.saga.empty())
    options += (options.empty() ? "" : ", ") + std::string("role: { saga: \"") + event.saga +
               "\", role: " + v1::SagaRole::Role_Name(event.role) + " }";
  return options.empty() ? "{}" : "{ " + options + " }";
}

/// Where a saga begins is said how long it may take.
void declare_saga(Edits& edits, const std::filesystem::path& steps_file, const std::string& saga) {
  const auto option = "option (quadrille.v1.saga) = { name: \"" + saga + "\"";
  if (edits.text(steps_file).find(option) != std::string::npos) return;
  edits.insert_after_last(steps_file, "option (quadrille.v1.participant)",
                          option + ", deadline: { seconds: 86400 } };\n");
}

}  // namespace

std::string field_lines(const std::vector<std::string>& fields, int number) {
  std::string lines;
  for (const auto& text : fields) {
    const auto [name, type] = field_of(text);
    lines += "  " + type + " " + name + " = " + std::to_string(number++) + ";\n";
  }
  return lines;
}

void add_event(Edits& edits, const Project& project, const NewEvent& event) {
  project.need_participant(event.participant);
  check_upper_name(event.name, "event");
  const auto file = project.events_file(event.participant);
  if (edits.text(file).find("message " + event.name + " {") != std::string::npos)
    throw std::runtime_error(file.string() + " declares " + event.name + " already");
  std::string message = "\nmessage " + event.name + " {\n  option (quadrille.v1.event) = " + options_of(event) +
                        ";\n  string " + event.key + " = 1 [(quadrille.v1.field).key = true];\n";
  edits.append(file, message + field_lines(event.fields, 2) + "}\n");
  if (event.role == v1::SagaRole::START) declare_saga(edits, project.steps_file(event.participant), event.saga);

  const auto state = Project::service_file(event.participant, ".hpp");
  const auto name = snake_case(event.name);
  const bool first = edits.text(state).find("\n  bool ") == std::string::npos;
  edits.insert_after_last(state, first ? "std::string last" : "bool ", "  bool " + name + " = false;\n");
  edits.insert_at_end_of_block(state, "struct " + camel_case(event.participant),
                               "\n  void apply(const v1::" + event.name + "&) {\n    " + name +
                                   " = true;\n    last = \"" + event.name + "\";\n  }\n");
}

}  // namespace quadrille::scaffold
