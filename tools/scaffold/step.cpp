#include "scaffold/step.hpp"

#include "contract/cpp_names.hpp"
#include "scaffold/words.hpp"

#include <regex>
#include <stdexcept>

namespace quadrille::scaffold {
namespace {

/// An event somebody says, as `desk.TicketRequested`, or TicketRequested of one's own.
struct Heard {
  std::string participant;
  std::string name;
  std::string key;
};

/// What is written in several places.
struct Plan {
  const Project& project;
  const NewStep& step;
  std::vector<Heard> heard;
  std::vector<std::string> outcomes;  ///< says, then failures
  std::string input_proto;            ///< type of the rpc's input, in the contract
  std::string input_cpp;              ///< and in the service's namespace

  [[nodiscard]] std::string type() const { return camel_case(step.participant); }
  [[nodiscard]] std::string outcome() const { return step.name + "Outcome"; }
};

Heard heard_of(Edits& edits, const Project& project, const NewStep& step, const std::string& text) {
  const auto dot = text.find('.');
  Heard heard{dot == std::string::npos ? step.participant : text.substr(0, dot),
              dot == std::string::npos ? text : text.substr(dot + 1), ""};
  project.need_participant(heard.participant);
  const auto& contract = edits.text(project.events_file(heard.participant));
  std::smatch match;
  // Options have braces of their own; the key comes behind them, before the message's end.
  const auto begin = contract.find("message " + heard.name + " {");
  const auto end = begin == std::string::npos ? begin : contract.find("\n}", begin);
  const auto message = begin == std::string::npos ? std::string() : contract.substr(begin, end - begin);
  if (!std::regex_search(message, match, std::regex(R"(string (\w+) = \d+ \[\(quadrille\.v1\.field\)\.key)")))
    throw std::runtime_error("--on: " + project.events_file(heard.participant).string() + " declares no event " +
                             heard.name + " with a key; see `quadrille new event --help`");
  heard.key = match[1];
  return heard;
}

std::string proto_name(const Plan& plan, const Heard& heard) {
  return heard.participant == plan.step.participant
             ? heard.name
             : plan.project.name() + "." + heard.participant + ".v1." + heard.name;
}

std::string cpp_name(const Plan& plan, const Heard& heard) {
  return (heard.participant == plan.step.participant ? "" : heard.participant + "::") + "v1::" + heard.name;
}

Plan plan_of(Edits& edits, const Project& project, const NewStep& step) {
  project.need_participant(step.participant);
  check_upper_name(step.name, "step");
  if (step.says.empty() && step.failures.empty())
    throw std::runtime_error("--says: a step says something; name at least one event");
  const int starts = (step.on.empty() ? 0 : 1) + (step.command.empty() ? 0 : 1) + (step.armed_by.empty() ? 0 : 1);
  if (starts != 1)
    throw std::runtime_error(
        "a step is started by events (--on), by a command (--command), or by a time (--after with "
        "--armed-by): exactly one of the three");
  if (edits.text(project.steps_file(step.participant)).find("rpc " + step.name + "(") != std::string::npos)
    throw std::runtime_error(project.steps_file(step.participant).string() + " declares step " + step.name +
                             " already");
  Plan plan{project, step, {}, step.says, "", ""};
  plan.outcomes.insert(plan.outcomes.end(), step.failures.begin(), step.failures.end());
  for (const auto& text : step.on) plan.heard.push_back(heard_of(edits, project, step, text));
  if (!step.command.empty()) {
    check_upper_name(step.command, "command");
    plan.input_proto = step.command;
    plan.input_cpp = "v1::" + step.command;
  } else if (!step.armed_by.empty()) {
    plan.input_proto = "quadrille.v1.Timer";
    plan.input_cpp = "quadrille::v1::Timer";
  } else if (plan.heard.size() == 1) {
    plan.input_proto = proto_name(plan, plan.heard.front());
    plan.input_cpp = cpp_name(plan, plan.heard.front());
  } else {
    plan.input_proto = step.name + "Cause";
    plan.input_cpp = "v1::" + step.name + "Cause";
  }
  return plan;
}

void add_events(Edits& edits, const Plan& plan) {
  const auto& step = plan.step;
  const auto declared = edits.text(plan.project.events_file(step.participant));
  const auto add = [&](const std::string& name, bool failure) {
    if (declared.find("message " + name + " {") != std::string::npos) return;
    NewEvent event{step.participant, name, step.key, {}, failure, "", v1::SagaRole::ROLE_UNSPECIFIED};
    for (const auto& [saga, role] :
         {std::pair{step.starts, v1::SagaRole::START}, std::pair{step.completes, v1::SagaRole::END_DONE},
          std::pair{step.cancels, v1::SagaRole::END_UNDONE}})
      if (!saga.empty()) {
        event.saga = saga;
        event.role = role;
      }
    add_event(edits, plan.project, event);
  };
  for (const auto& name : step.says) add(name, false);
  for (const auto& name : step.failures) add(name, true);
}

std::string messages_of(const Plan& plan) {
  const auto& step = plan.step;
  std::string text;
  if (!step.command.empty())
    text += "// A command, not an event: it comes from outside.\nmessage " + step.command + " {\n  string " + step.key +
            " = 1 [(quadrille.v1.field).key = true];\n" + field_lines(step.fields, 2) + "}\n\n";
  if (plan.heard.size() > 1) {
    text += "message " + step.name + "Cause {\n  option (quadrille.v1.trigger) = { join: ANY };\n";
    int number = 0;
    for (const auto& heard : plan.heard)
      text += "  " + proto_name(plan, heard) + " " + snake_case(heard.name) + " = " + std::to_string(++number) + ";\n";
    text += "}\n\n";
  }
  text += "message " + plan.outcome() + " {\n";
  const bool choice = plan.outcomes.size() > 1;
  if (choice) text += "  oneof result {\n";
  int number = 0;
  for (const auto& event : plan.outcomes)
    text += std::string(choice ? "    " : "  ") + event + " " + snake_case(event) + " = " + std::to_string(++number) +
            ";\n";
  return text + (choice ? "  }\n" : "") + "}\n\n";
}

std::string option_of(const NewStep& step) {
  std::string option = "kind: " + v1::StepKind_Name(step.kind);
  if (!step.undone_by.empty()) option += ", compensated_by: \"" + step.undone_by + "\"";
  if (step.kind == v1::COMPENSATION) option += ", null_safe: true";
  if (!step.armed_by.empty())
    option += ", timeout: { armed_by: \"" + step.armed_by +
              "\", after: { seconds: " + std::to_string(step.after.count()) + " } }";
  return option;
}

void edit_contract(Edits& edits, const Plan& plan) {
  const auto& step = plan.step;
  const auto file = plan.project.steps_file(step.participant);
  for (const auto& heard : plan.heard)
    if (heard.participant != step.participant)
      edits.insert_sorted(file, "import \"",
                          "import \"" + plan.project.name() + "/" + heard.participant + "/v1/" + heard.participant +
                              "_events.proto\";");
  edits.insert_before(file, "service ", messages_of(plan));
  edits.insert_at_end_of_block(file, "service ",
                               "  rpc " + step.name + "(" + plan.input_proto + ") returns (" + plan.outcome() +
                                   ") {\n    option (quadrille.v1.step) = { " + option_of(step) + " };\n  }\n");
}

void edit_service(Edits& edits, const Plan& plan) {
  const auto& step = plan.step;
  const auto function = contract::step_function(step.name);
  const auto arguments = "const " + plan.input_cpp + "& trigger, const " + plan.type() + "& " + step.participant +
                         ", quadrille::Step& step)";
  edits.insert_at_end_of_block(Project::service_file(step.participant, "_service.hpp"),
                               "class " + plan.type() + "Service",
                               "  v1::" + plan.outcome() + " " + function + "(" + arguments + " override;\n");
  std::string said;
  std::string others;
  for (const auto& event : plan.outcomes) {
    said += (said.empty() ? "" : " || ") + step.participant + "." + snake_case(event);
    if (event != plan.outcomes.front())
      others += (others.empty() ? "  // or mutable_" : ", mutable_") + snake_case(event) + "()";
  }
  edits.insert_before(Project::service_file(step.participant, "_service.cpp"),
                      "}  // namespace " + plan.project.name() + "::" + step.participant,
                      "v1::" + plan.outcome() + " " + plan.type() + "Service::" + function +
                          "(\n    [[maybe_unused]] " + arguments + " {\n  if (" + said +
                          ") return step.already_recorded();\n  v1::" + plan.outcome() +
                          " outcome;\n  outcome.mutable_" + snake_case(plan.outcomes.front()) + "();" + others +
                          "\n  return outcome;\n}\n\n");
}

/// The first command of a participant comes with a view of what has become of it.
void edit_program(Edits& edits, const Plan& plan) {
  const auto& step = plan.step;
  if (step.command.empty()) return;
  const auto file = std::filesystem::path("services") / step.participant / "main.cpp";
  const bool first = edits.text(file).find("edge.command<") == std::string::npos;
  const auto space = plan.project.name() + "::" + step.participant;
  const auto path = "/" + step.participant + (first ? "" : "/" + snake_case(step.name));
  edits.insert_before(file, "return quadrille::run",
                      "  edge.command<" + space + "::v1::" + step.command + ">(\"" + path + "\", \"" + step.name +
                          "\", [](const auto&) { return std::nullopt; });\n");
  if (!first) return;
  edits.insert_before(file, "return quadrille::run",
                      "  edge.view<" + space + "::" + plan.type() + "Service::Folded>(\"" + path +
                          "\", [](const std::string& key, const " + space + "::" + plan.type() + "& " +
                          step.participant + ") {\n    " + space + "::v1::" + plan.type() +
                          "View view;\n    view.set_" + step.key + "(key);\n    view.set_last(" + step.participant +
                          ".last);\n    return view;\n  });\n");
  edits.insert_before(plan.project.steps_file(step.participant), "service ",
                      "// What a caller sees of it.\nmessage " + plan.type() + "View {\n  string " + step.key +
                          " = 1;\n  string last = 2;\n}\n\n");
}

void edit_test(Edits& edits, const Plan& plan) {
  const auto& step = plan.step;
  const auto& said = plan.outcomes.front();
  std::string when;
  std::string trigger;
  if (!step.armed_by.empty()) {
    when = "when_timer(\"" + step.name + "\", \"1\")";
  } else {
    const auto type = plan.heard.empty() ? plan.input_cpp : cpp_name(plan, plan.heard.front());
    const auto key = plan.heard.empty() ? step.key : plan.heard.front().key;
    trigger = "  " + type + " trigger;\n  trigger.set_" + key + "(\"1\");\n";
    when = "when(trigger)";
  }
  edits.insert_before(Project::service_file(step.participant, "_test.cpp"), "}  // namespace",
                      "TEST(" + plan.type() + "Service, " + step.name + "Says" + said + "Once) {\n" + trigger +
                          "  Scenario<" + plan.type() + "Service> scenario;\n  scenario." + when + ".then_among(v1::" +
                          said + "());\n  scenario." + when + ".then();  // a repetition says nothing new\n}\n\n");
}

}  // namespace

void add_step(Edits& edits, const Project& project, const NewStep& step) {
  const auto plan = plan_of(edits, project, step);
  add_events(edits, plan);
  edit_contract(edits, plan);
  edit_service(edits, plan);
  edit_program(edits, plan);
  edit_test(edits, plan);
}

}  // namespace quadrille::scaffold
