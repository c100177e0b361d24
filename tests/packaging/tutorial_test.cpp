// The framework installed somewhere, and framework/TUTORIAL.md followed there word by word: the project that comes of
// it stands on what was installed and on nothing of this tree.
#include "embedded/child_process.hpp"
#include "embedded/probe.hpp"
#include "support/validators.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace quadrille {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A fenced block of the page; `how` is what stands behind ```sh.
struct Block {
  std::string how;
  std::string script;
};

std::vector<Block> blocks_of(const fs::path& page) {
  std::vector<Block> blocks;
  std::ifstream file(page);
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      inside = line.starts_with("```sh");
      if (inside) blocks.push_back({line.size() > 6 ? line.substr(6) : "", ""});
    } else if (inside) {
      blocks.back().script += line + "\n";
    }
  }
  return blocks;
}

class Installed : public ::testing::Test {
 protected:
  struct Answer {
    int exit_code = -1;
    std::string output;
  };

  void SetUp() override {
    const auto installed = shell("cmake --install " QUADRILLE_BUILD_DIR " --prefix " + prefix_.string());
    ASSERT_EQ(installed.exit_code, 0) << installed.output;
  }
  [[nodiscard]] std::map<std::string, std::string> environment() const {
    return {{"PATH", (prefix_ / "bin").string() + ":" + std::getenv("PATH")},
            {"CMAKE_PREFIX_PATH", prefix_.string()},
            {"PKG_CONFIG_PATH", (prefix_ / "lib" / "pkgconfig").string()},
            {"DESK", desk_},
            {"TRACKER", tracker_}};
  }
  /// As a person's terminal would, staying in the folder that it went to.
  Answer shell(const std::string& script) {
    const auto number = std::to_string(++count_);
    const auto output = folder_.path() / ("output-" + number);
    const auto where = folder_.path() / ("where-" + number);
    embedded::ChildProcess child({.arguments = {"bash", "-c", "set -e\n" + script + "\npwd > " + where.string()},
                                  .environment = environment(),
                                  .output = output,
                                  .directory = here_});
    const auto code = child.wait(std::chrono::minutes(4)).value_or(-1);
    if (code == 0) here_ = content(where).substr(0, content(where).find('\n'));
    return {code, content(output)};
  }
  /// Starts it and waits until it says where everything serves.
  void start(const std::string& script) {
    const auto output = folder_.path() / "terminal";
    terminal_.emplace(embedded::Command{.arguments = {"bash", "-c", "exec " + script},
                                        .environment = environment(),
                                        .output = output,
                                        .directory = here_});
    ASSERT_TRUE(
        embedded::await([&] { return content(output).find("Ctrl-C") != std::string::npos; }, std::chrono::seconds(60)))
        << content(output);
    const auto said = content(output);
    const auto address = [&](const std::string& name) {
      std::smatch match;
      return std::regex_search(said, match, std::regex("(http://[0-9.:]+)  \\(" + name + "\\)")) ? match[1].str() : "";
    };
    desk_ = address("desk");
    tracker_ = address("tracker");
  }
  bool await_ends(std::size_t sagas) {
    return embedded::await(
        [&] {
          const auto list = shell("quadrille saga list --format json --tracker $TRACKER || true").output;
          return std::distance(std::sregex_iterator(list.begin(), list.end(), ended_), std::sregex_iterator()) ==
                 static_cast<std::ptrdiff_t>(sagas);
        },
        std::chrono::seconds(30));
  }

  const std::regex ended_{R"x("state": "(COMPLETED|CANCELLED)")x"};
  embedded::TemporaryFolder folder_;
  fs::path prefix_ = folder_.path() / "prefix";
  fs::path here_ = folder_.path();
  std::string desk_, tracker_;
  std::optional<embedded::ChildProcess> terminal_;
  int count_ = 0;
};

TEST_F(Installed, IsEnoughToFollowTheTutorial) {
  std::string all;
  for (const auto& [how, script] : blocks_of(fs::path(QUADRILLE_SOURCE_DIR) / "framework" / "TUTORIAL.md")) {
    if (how == "install") continue;  // done, elsewhere
    if (how == "terminal") {
      start(script);
      continue;
    }
    const bool looks_at_ends = script.starts_with("quadrille saga list");
    ASSERT_TRUE(!looks_at_ends || await_ends(2)) << shell("quadrille saga list --tracker $TRACKER || true").output;
    const auto answer = shell(script);
    ASSERT_EQ(answer.exit_code, how == "fails" ? 1 : 0) << script << "\n" << answer.output;
    all += answer.output;
  }
  EXPECT_THAT(all, HasSubstr("compensated_by names 'Refuse', which is not a step"));
  EXPECT_THAT(all, HasSubstr("0 errors, 0 warnings"));
  EXPECT_THAT(all, HasSubstr("100% tests passed"));
  EXPECT_THAT(all, testing::ContainsRegex("booking +[0-9a-f-]+ +COMPLETED"));
  EXPECT_THAT(all, testing::ContainsRegex("booking +[0-9a-f-]+ +CANCELLED"));
  EXPECT_THAT(all, HasSubstr("TicketIssued"));
  EXPECT_THAT(all, HasSubstr("TicketRefused"));

  // Whoever builds without CMake.
  const auto linked = shell(
      "g++ -Iservices -Ibuild/contracts/generated services/desk/main.cpp build/services/libdesk_steps.a "
      "build/contracts/libcinema_contracts.a $(pkg-config --cflags --libs quadrille) -o by-hand && ./by-hand --help");
  EXPECT_EQ(linked.exit_code, 0) << linked.output;
  EXPECT_THAT(linked.output, HasSubstr("--nats-url"));

  terminal_->signal(SIGINT);
  EXPECT_EQ(terminal_->wait(std::chrono::seconds(60)), 0);
}

TEST_F(Installed, CompletesCommandsAndOptions) {
  const auto completed =
      shell("source " + (prefix_ / "share/bash-completion/completions/quadrille").string() +
            "\nshow() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _quadrille; echo \"${COMPREPLY[*]}\"; }\n"
            "show quadrille pa\nshow quadrille saga l\nshow quadrille saga list --st\n");
  EXPECT_EQ(completed.exit_code, 0) << completed.output;
  EXPECT_EQ(completed.output, "parked\nlist\n--state --step\n");
}

TEST_F(Installed, SaysTheSameVersionEverywhere) {
  for (const auto* program : {"quadrille", "quadrille-tracker", "protoc-gen-quadrille"}) {
    const auto said = shell(std::string(program) + " --version | head -1 | cut -d' ' -f1,2");
    EXPECT_EQ(said.output, program + std::string(" " QUADRILLE_VERSION "\n"));
  }
  EXPECT_EQ(shell("pkg-config --modversion quadrille").output, QUADRILLE_VERSION "\n");
}

TEST_F(Installed, HasAManualPageOfEachProgramAndCommandThatReadsWell) {
  const auto pages = shell("cd " + (prefix_ / "share/man/man1").string() + " && ls");
  for (const auto* page :
       {"quadrille.1", "quadrille-check.1", "quadrille-migrate.1", "quadrille-tracker.1", "protoc-gen-quadrille.1"})
    EXPECT_THAT(pages.output, HasSubstr(page + std::string("\n")));
  const auto warnings = shell("for page in *.1; do man --warnings -l -Tutf8 $page 2>&1 >/dev/null; done");
  EXPECT_EQ(warnings.output, "");
  const auto lint = shell("mandoc -Tlint -Wwarning *.1");
  EXPECT_EQ(lint.exit_code, 0);
  EXPECT_EQ(lint.output, "");
  const auto page = shell("man -l quadrille-migrate.1 | cat").output;
  EXPECT_THAT(page, HasSubstr("--dry-run"));
  EXPECT_THAT(page, HasSubstr("QUADRILLE_DATABASE_URL"));
  EXPECT_THAT(page, HasSubstr("EXIT STATUS"));
}

TEST_F(Installed, ExplainsRulesAndMigratesByItsOwnFiles) {
  const auto explained = shell("quadrille explain QDR122");
  EXPECT_EQ(explained.exit_code, 0) << explained.output;
  EXPECT_THAT(explained.output, HasSubstr("With the fault"));
  EXPECT_THAT(explained.output, HasSubstr("service "));
  const auto help = shell("quadrille migrate --help");
  EXPECT_THAT(help.output, HasSubstr((prefix_ / "share/quadrille/migrations").string()));
}

TEST_F(Installed, BeginsAProjectWhoseTestsPassAndRefusesToGarbleOne) {
  const auto made = shell(
      "quadrille new project bakery --participant oven && cd bakery && quadrille check contracts && touch taken.tsv "
      "&& quadrille new step oven.Watch --on OvenClosed --says OvenWatched --or-fails OvenLost --kind observer "
      "&& quadrille new step oven.Note --on OvenClosed --says OvenNoted --kind observer "
      "&& quadrille new tests --record taken.tsv && quadrille new tests --record taken.tsv "
      "&& cmake -B build -G Ninja > /dev/null && ninja -C build > log || (cat log; false); "
      "QUADRILLE_COVERAGE=$PWD/taken.tsv ctest --test-dir build; quadrille coverage contracts --record taken.tsv");
  EXPECT_EQ(made.exit_code, 0) << made.output;
  EXPECT_THAT(made.output, HasSubstr("0 errors, 0 warnings"));
  EXPECT_THAT(made.output, HasSubstr("100% tests passed"));
  EXPECT_THAT(made.output, HasSubstr("oven_test.cpp: 5 tests"));
  EXPECT_THAT(made.output, HasSubstr("Every branch is taken, or its test is begun already."));
  EXPECT_THAT(made.output, testing::ContainsRegex("oven.Open says OvenOpened +success +[1-9]"));
  EXPECT_THAT(made.output, testing::ContainsRegex("oven.Watch says OvenLost +failure +no test"));
  const auto containers = here_ / "compose" / "compose.yaml";
  EXPECT_EQ(complaints("compose", {containers}), "");
  EXPECT_THAT(yaml_to_json(containers), HasSubstr("dbname=oven"));
  for (const auto& [command, complaint] : std::map<std::string, std::string>{
           {"step oven.Open --command Again --says OvenOpened", "declares step Open already"},
           {"step stove.Open --command Again --says Opened", "there is no participant 'stove'"},
           {"step oven.Cool --on OvenBurnt --says Cooled", "declares no event OvenBurnt"},
           {"step oven.Cool --says Cooled", "exactly one of the three"},
           {"event oven.Baked --field loaves", "is not NAME:TYPE"},
           {"event oven.baked", "an upper-case letter first"},
           {"participant bakery", "choose another name"},
           {"participant oven", "is there already"}}) {
    const auto before = shell("find . -type f -newer CMakeLists.txt | xargs md5sum | md5sum").output;
    const auto refused = shell("quadrille new " + command);
    EXPECT_EQ(refused.exit_code, 2) << command;
    EXPECT_THAT(refused.output, HasSubstr(complaint)) << command;
    EXPECT_EQ(shell("find . -type f -newer CMakeLists.txt | xargs md5sum | md5sum").output, before) << command;
  }
}

}  // namespace
}  // namespace quadrille
