#include "scaffold/project.hpp"

#include "data/data_folder.hpp"
#include "scaffold/words.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace quadrille::scaffold {
namespace {

namespace fs = std::filesystem;

/// @name@ by what it stands for.
std::string filled(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [name, value] : words) {
    const auto mark = "@" + name + "@";
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
      text.replace(at, mark.size(), value);
  }
  return text;
}

/// A participant and its database, in the project's containers.
constexpr const char* in_containers = R"(  @participant@-database:
    <<: *database
    environment: {<<: *environment, QUADRILLE_DATABASE_URL: dbname=@participant@}
    command: ["sh", "-c", "createdb @participant@; exec quadrille migrate --participant @participant@"]
  @participant@:
    <<: *program
    command: ["@participant@"]
    environment: {<<: *environment, QUADRILLE_DATABASE_URL: dbname=@participant@}
    depends_on:
      @participant@-database: {condition: service_completed_successfully}
    ports: ["127.0.0.1::8080"]

)";

std::vector<std::string> folders_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

Project Project::find(const fs::path& folder) {
  for (auto root = fs::absolute(folder).lexically_normal();; root = root.parent_path()) {
    const auto names = folders_in(root / "contracts");
    if (names.size() == 1 && fs::is_directory(root / "services")) return {root, names.front()};
    if (root == root.root_path()) break;
  }
  throw std::runtime_error(fs::absolute(folder).string() +
                           " is in no project (a folder with contracts/NAME and services/); begin one with `quadrille "
                           "new project NAME`, or name it with --project");
}

Project Project::make(const fs::path& folder, const std::string& name, const std::string& participant,
                      const std::string& version) {
  check_lower_name(name, "project");
  Project project(folder / name, name);
  if (fs::exists(project.root_)) throw std::runtime_error(project.root_.string() + " is there already");
  Edits edits(project.root_);
  project.fill(edits, "project", {{"project", name}, {"participant", participant}, {"version", version}});
  static_cast<void>(edits.write());
  fs::create_directories(project.root_ / "contracts" / name);
  return project;
}

fs::path Project::steps_file(const std::string& participant) const {
  return fs::path("contracts") / name_ / participant / "v1" / (participant + ".proto");
}

fs::path Project::events_file(const std::string& participant) const {
  return fs::path("contracts") / name_ / participant / "v1" / (participant + "_events.proto");
}

fs::path Project::service_file(const std::string& participant, const std::string& ending) {
  return fs::path("services") / participant / (participant + ending);
}

std::vector<std::string> Project::participants() const { return folders_in(root_ / "services"); }

void Project::need_participant(const std::string& participant) const {
  const auto all = participants();
  if (std::ranges::find(all, participant) != all.end()) return;
  std::string known;
  for (const auto& one : all) known += (known.empty() ? "" : ", ") + one;
  throw std::runtime_error("there is no participant '" + participant + "' in " + root_.string() + "; there is " +
                           (known.empty() ? "none: begin with `quadrille new participant NAME`" : known));
}

void Project::add_participant(Edits& edits, const std::string& participant) const {
  check_lower_name(participant, "participant");
  fill(edits, "participant",
       {{"project", name_}, {"participant", participant}, {"Participant", camel_case(participant)}});
  const fs::path containers = "compose/compose.yaml";
  if (edits.exists(containers))
    edits.insert_before(containers, "volumes: {", filled(in_containers, {{"participant", participant}}));
}

void Project::fill(Edits& edits, const std::string& part, const std::map<std::string, std::string>& words) const {
  const auto templates = data::folder("templates") / part;
  for (const auto& entry : fs::recursive_directory_iterator(templates)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    edits.create(filled(fs::relative(entry.path(), templates).string(), words), filled(text, words));
  }
}

}  // namespace quadrille::scaffold
