#include "core/time_text.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/commands/new_tests.hpp"
#include "scaffold/step.hpp"
#include "scaffold/words.hpp"

#include <iostream>
#include <memory>

namespace quadrille::tool {
namespace {

namespace fs = std::filesystem;

void tell(const fs::path& root, const std::vector<fs::path>& written) {
  for (const auto& path : written)
    std::cout << "  " << (root / path).lexically_proximate(fs::current_path()).string() << "\n";
}

void check_participant(const std::string& name, const std::string& project) {
  scaffold::check_lower_name(name, "participant");
  if (name == project || name == "v1")
    throw std::runtime_error("participant '" + name +
                             "' would be a C++ namespace that hides another; choose another name");
}

struct ProjectOptions {
  std::string name;
  std::string participant;
  fs::path folder = ".";
  bool empty = false;
};

/// One participant that begins a saga when it is asked and ends it by itself: to be renamed, and grown.
void begin(scaffold::Project& project, const std::string& participant) {
  scaffold::Edits edits(project.root());
  project.add_participant(edits, participant);
  tell(project.root(), edits.write());
  const auto type = scaffold::camel_case(participant);
  scaffold::NewStep open{.participant = participant, .name = "Open", .kind = v1::PIVOT};
  open.command = "Open" + type;
  open.says = {type + "Opened"};
  open.key = project.name() + "_id";
  open.starts = project.name();
  scaffold::NewStep close{.participant = participant, .name = "Close", .kind = v1::RETRIABLE};
  close.on = {type + "Opened"};
  close.says = {type + "Closed"};
  close.key = open.key;
  close.completes = project.name();
  for (const auto& step : {open, close}) {
    scaffold::add_step(edits, project, step);
    static_cast<void>(edits.write());
  }
}

void new_project(const ProjectOptions& options) {
  const auto participant = options.participant.empty() ? "desk" : options.participant;
  check_participant(participant, options.name);
  auto project = scaffold::Project::make(options.folder, options.name, participant, QUADRILLE_VERSION);
  const auto where = project.root().lexically_normal().string();
  std::cout << where << "\n";
  if (!options.empty) begin(project, participant);
  std::cout << "\nGo on there; its README.md says how:\n  cd " << where << "\n";
  if (options.empty)
    std::cout << "  quadrille new participant " << participant << "\n";
  else
    std::cout << "  quadrille check contracts\n  cmake -B build -G Ninja && ninja -C build && ctest --test-dir build\n";
}

void add_new_project(CLI::App& parent) {
  auto options = std::make_shared<ProjectOptions>();
  auto* command = parent.add_subcommand("project",
                                        "Begins a project: contracts, services, tests and their build, with one "
                                        "participant whose saga runs at once.\n\n"
                                        "  quadrille new project cinema --participant desk\n"
                                        "  quadrille new project cinema --empty");
  command->add_option("name", options->name, "Lower-case letters, digits and underscores")->required();
  command->add_option("--participant", options->participant, "Its first participant; default: desk");
  command->add_option("--folder", options->folder, "Where its folder is made")->check(CLI::ExistingDirectory);
  command->add_flag("--empty", options->empty, "Without a participant");
  command->callback([options] { new_project(*options); });
}

/// Options that say where.
void add_place(CLI::App& command, const std::shared_ptr<fs::path>& folder) {
  command.add_option("--project", *folder, "The project, or a folder in it; default: here")
      ->check(CLI::ExistingDirectory);
}

void add_new_participant(CLI::App& parent) {
  auto name = std::make_shared<std::string>();
  auto folder = std::make_shared<fs::path>(".");
  auto* command = parent.add_subcommand("participant",
                                        "Adds a participant without steps: contract, state, service, "
                                        "program, tests.\n\n  quadrille new participant hall");
  command->add_option("name", *name, "Lower-case letters, digits and underscores")->required();
  add_place(*command, folder);
  command->callback([name, folder] {
    const auto project = scaffold::Project::find(*folder);
    check_participant(*name, project.name());
    scaffold::Edits edits(project.root());
    project.add_participant(edits, *name);
    tell(project.root(), edits.write());
    std::cout << "\nGive it steps:\n  quadrille new step " << *name
              << ".Decide --on PARTICIPANT.Event --says Decided\n";
  });
}

/// `desk.Refuse` -> {desk, Refuse}
std::pair<std::string, std::string> parts_of(const std::string& text, const std::string& what) {
  const auto dot = text.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == text.size())
    throw std::runtime_error("'" + text + "' is not PARTICIPANT." + what + ", such as desk." +
                             (what == "Step" ? "Confirm" : "TicketIssued"));
  return {text.substr(0, dot), text.substr(dot + 1)};
}

v1::StepKind kind_of(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  v1::StepKind kind = v1::STEP_KIND_UNSPECIFIED;
  static_cast<void>(v1::StepKind_Parse(text, &kind));
  return kind;
}

struct StepOptions {
  std::string name;
  std::string kind = "retriable";
  std::string after;
  scaffold::NewStep step;
  std::shared_ptr<fs::path> folder = std::make_shared<fs::path>(".");
};

void new_step(StepOptions options) {
  const auto project = scaffold::Project::find(*options.folder);
  auto& step = options.step;
  std::tie(step.participant, step.name) = parts_of(options.name, "Step");
  step.kind = kind_of(options.kind);
  if (step.key.empty()) step.key = project.name() + "_id";
  if (!options.after.empty()) {
    const auto after = duration_from(options.after);
    if (!after) throw std::runtime_error("--after: '" + options.after + "' is not a time such as 30s, 15m or 2h");
    step.after = std::chrono::duration_cast<std::chrono::seconds>(*after);
  }
  scaffold::Edits edits(project.root());
  scaffold::add_step(edits, project, step);
  tell(project.root(), edits.write());
  std::cout << "\nIts decision is in services/" << step.participant << "/" << step.participant
            << "_service.cpp. Whether the choreography holds:\n  quadrille check contracts\n";
}

void add_new_step(CLI::App& parent) {
  auto options = std::make_shared<StepOptions>();
  auto& step = options->step;
  auto* command = parent.add_subcommand(
      "step",
      "Adds a step to a participant: in its contract, a first decision in its service, a test; and the events it says, "
      "where they are not declared yet.\n\n"
      "  quadrille new step desk.Request --command RequestTicket --says TicketRequested --kind compensatable \\\n"
      "      --undone-by Refuse --starts booking\n"
      "  quadrille new step hall.Seat --on desk.TicketRequested --says SeatTaken --or-fails HallFull --kind pivot\n"
      "  quadrille new step desk.Issue --on hall.SeatTaken --says TicketIssued --completes booking\n"
      "  quadrille new step desk.Refuse --on hall.HallFull --says TicketRefused --kind compensation --cancels booking\n"
      "  quadrille new step desk.GiveUp --after 15m --armed-by Request --says RequestTimedOut --kind query");
  command->add_option("name", options->name, "PARTICIPANT.Step")->required();
  command->add_option("--kind", options->kind, "compensatable, pivot, retriable, compensation, query or observer")
      ->check(CLI::IsMember({"compensatable", "pivot", "retriable", "compensation", "query", "observer"}))
      ->capture_default_str();
  command->add_option("--on", step.on, "Event that starts it, PARTICIPANT.Event; of several, any does");
  command->add_option("--command", step.command, "Command from outside that starts it; served over HTTP");
  command->add_option("--field", step.fields, "Field of the command besides its key: NAME:TYPE; may be repeated");
  command->add_option("--after", options->after, "Time after which it starts: 30s, 15m, 2h")
      ->needs(
          command->add_option("--armed-by", step.armed_by, "Step of the same participant from which the time runs"));
  command->add_option("--says", step.says, "Event it says; of several, one")->delimiter(',');
  command->add_option("--or-fails", step.failures, "Event by which it says no instead")->delimiter(',');
  command->add_option("--undone-by", step.undone_by, "Step that undoes it, of a compensatable one");
  command->add_option("--starts", step.starts, "Saga that begins with what it says");
  command->add_option("--completes", step.completes, "Saga that is done with it");
  command->add_option("--cancels", step.cancels, "Saga that is undone with it");
  command->add_option("--key", step.key, "Field that names the instance in events it makes; default: PROJECT_id");
  add_place(*command, options->folder);
  command->callback([options] { new_step(*options); });
}

void add_new_event(CLI::App& parent) {
  struct Options {
    std::string name;
    std::string starts;
    scaffold::NewEvent event;
    std::shared_ptr<fs::path> folder = std::make_shared<fs::path>(".");
  };
  auto options = std::make_shared<Options>();
  auto* command = parent.add_subcommand("event",
                                        "Declares an event of a participant, and lets its state take it in.\n\n"
                                        "  quadrille new event hall.SeatTaken --field seat:string --field row:uint32");
  command->add_option("name", options->name, "PARTICIPANT.Event")->required();
  command->add_option("--field", options->event.fields, "NAME:TYPE, as protobuf calls types; may be repeated");
  command->add_flag("--failure", options->event.failure, "It says no");
  command->add_option("--starts", options->starts, "Saga that begins with it");
  command->add_option("--key", options->event.key, "Field that names the instance; default: PROJECT_id");
  add_place(*command, options->folder);
  command->callback([options] {
    const auto project = scaffold::Project::find(*options->folder);
    auto event = options->event;
    std::tie(event.participant, event.name) = parts_of(options->name, "Event");
    if (event.key.empty()) event.key = project.name() + "_id";
    if (!options->starts.empty()) {
      event.saga = options->starts;
      event.role = v1::SagaRole::START;
    }
    scaffold::Edits edits(project.root());
    scaffold::add_event(edits, project, event);
    tell(project.root(), edits.write());
  });
}

}  // namespace

void add_new(CLI::App& app, int&) {
  auto* command =
      app.add_subcommand("new",
                         "Begins a project of one's own, and adds participants, steps and events to it. What "
                         "it writes is yours: it builds, and its tests pass, at once.");
  command->require_subcommand(1);
  add_new_project(*command);
  add_new_participant(*command);
  add_new_step(*command);
  add_new_event(*command);
  add_new_tests(*command);
}

}  // namespace quadrille::tool
