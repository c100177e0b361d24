#include "checker/check.hpp"
#include "checker/load.hpp"
#include "checker/load_cached.hpp"
#include "checker/report.hpp"
#include "embedded/child_process.hpp"
#include "estate/estate.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace quadrille::checker {
namespace {

namespace fs = std::filesystem;

/// An estate on disk, read with and without a cache.
class Cache : public ::testing::Test {
 protected:
  Cache() { estate::generate(7, {20, 12, 1}).write(folder_.path()); }
  [[nodiscard]] fs::path cache() const { return folder_.path() / "cache"; }
  [[nodiscard]] std::string cached() const { return told(read_cached({contracts()}, {}, cache())); }
  [[nodiscard]] std::string fresh() const { return told(Contracts({contracts()}, {}).reading()); }
  [[nodiscard]] fs::path contracts() const { return folder_.path() / "estate"; }
  void append(const std::string& file, const std::string& text) const {
    std::ofstream(contracts() / file, std::ios::app) << text;
  }

  embedded::TemporaryFolder folder_;

 private:
  /// Everything the tool knows, so that a field forgotten by the cache shows.
  static std::string told(const contract::Reading& reading) {
    const auto findings = check(reading);
    if (!reading.faults.empty()) return as_text(findings, false);  // the model is then not to be used
    return as_text(findings, false) + as_json(reading.model, {}, findings);
  }
};

TEST_F(Cache, GivesWhatReadingAnewGives) {
  EXPECT_EQ(cached(), fresh());
  ASSERT_TRUE(fs::exists(cache()));
  EXPECT_EQ(cached(), fresh());
}

TEST_F(Cache, SeesAFileThatChanged) {
  static_cast<void>(cached());
  append("p1_events.proto", "message Late { option (quadrille.v1.event) = {}; string id = 1; }\n");
  const auto now = cached();
  EXPECT_EQ(now, fresh());
  EXPECT_NE(now.find("estate.p1.Late"), std::string::npos);
}

TEST_F(Cache, SeesThatAnImportChanged) {
  static_cast<void>(cached());
  // The steps of p2 hear events of its neighbours: what is no event any more is a fault of theirs.
  for (const auto& entry : fs::directory_iterator(contracts())) {
    if (!entry.path().filename().string().ends_with("_events.proto")) continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    auto content = text.str();
    for (auto at = content.find("option (quadrille.v1.event)"); at != std::string::npos;
         at = content.find("option (quadrille.v1.event)"))
      content.erase(at, content.find(";\n", at) - at + 2);
    std::ofstream(entry.path()) << content;
    break;
  }
  EXPECT_EQ(cached(), fresh());
}

TEST_F(Cache, SeesAnImportHoweverItIsWritten) {
  const std::string head = "syntax = \"proto3\";\npackage estate.more;\n";
  append("more_events.proto", head +
                                  "import \"quadrille/v1/options.proto\";\noption (quadrille.v1.stream) = { context: "
                                  "\"more\" };\nmessage More { option (quadrille.v1.event) = {}; string id = 1 "
                                  "[(quadrille.v1.field).key = true]; }\n");
  append("more.proto", head +
                           "import \"quadrille/v1/options.proto\"; import 'more_events.proto';\noption "
                           "(quadrille.v1.participant) = { name: \"more\" };\nservice MoreSteps { rpc Hear(More) "
                           "returns (More) { option (quadrille.v1.step) = { kind: QUERY }; } }\n");
  EXPECT_EQ(cached(), fresh());
  std::stringstream text;
  text << std::ifstream(contracts() / "more_events.proto").rdbuf();
  auto changed = text.str();
  changed.replace(changed.find("option (quadrille.v1.event) = {};"), 33, "");
  std::ofstream(contracts() / "more_events.proto") << changed;  // no event any more: Hear takes a command now
  EXPECT_EQ(cached(), fresh());
}

TEST_F(Cache, DoesNotKeepWhatImportsFilesOutsideOfIt) {
  std::vector<fs::path> some;
  for (const auto& entry : fs::directory_iterator(contracts()))
    if (!entry.path().filename().string().ends_with("_events.proto")) some.push_back(entry.path());
  const auto twice = [&] {
    return std::pair(check(read_cached(some, {contracts()}, cache())).size(),
                     check(Contracts(some, {contracts()}).reading()).size());
  };
  const auto before = twice();
  EXPECT_EQ(before.first, before.second);
  const auto after = twice();
  EXPECT_EQ(after.first, after.second);
}

TEST_F(Cache, SeesTwoParticipantsOfOneName) {
  static_cast<void>(cached());
  append("other.proto",
         "syntax = \"proto3\";\npackage estate.other;\nimport \"quadrille/v1/options.proto\";\noption "
         "(quadrille.v1.participant) = { name: \"p1\" };\nservice OtherSteps {}\n");
  EXPECT_NE(fresh().find("participant name 'p1' is also that of"), std::string::npos) << fresh();
  EXPECT_EQ(cached(), fresh());
}

TEST_F(Cache, NamesAFileThatCannotBeRead) {
  fs::create_directory(contracts() / "folder.proto");
  try {
    static_cast<void>(cached());
    FAIL() << "read a folder";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot read"), std::string::npos) << error.what();
  }
}

TEST_F(Cache, ForgetsAFileThatIsGone) {
  append("extra_events.proto",
         "syntax = \"proto3\";\npackage estate.extra;\nimport \"quadrille/v1/options.proto\";\noption "
         "(quadrille.v1.stream) = { context: \"extra\" };\nmessage Extra { option (quadrille.v1.event) = {}; string id "
         "= 1; }\n");
  EXPECT_NE(cached().find("estate.extra.Extra"), std::string::npos);
  fs::remove(contracts() / "extra_events.proto");
  EXPECT_EQ(cached().find("estate.extra.Extra"), std::string::npos);
}

TEST_F(Cache, ThatIsBrokenIsAsGoodAsNone) {
  static_cast<void>(cached());
  std::ofstream(cache()) << "no cache at all";
  EXPECT_EQ(cached(), fresh());
}

TEST_F(Cache, IsNotWrittenOfContractsThatCannotBeRead) {
  append("p1.proto", "message {\n");
  EXPECT_EQ(cached(), fresh());
  EXPECT_FALSE(fs::exists(cache()));
}

}  // namespace
}  // namespace quadrille::checker
