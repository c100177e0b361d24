// compose.yaml and what it names: taken by the format's schema, and nothing in it that the tree or the programs do not
// have.
#include "compose_tree.hpp"
#include "support/validators.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <regex>

namespace quadrille {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class ComposeFiles : public ::testing::Test {
 protected:
  static const json& file() {
    static const json parsed = json::parse(yaml_to_json(compose("compose.yaml")));
    return parsed;
  }
  static const json& services() { return file()["services"]; }
  static bool ours(const json& service) { return service["image"].get<std::string>().starts_with("quadrille:"); }
};

TEST_F(ComposeFiles, AreTakenByTheSchemaOfTheFormat) {
  EXPECT_EQ(complaints("compose", {compose("compose.yaml")}), "");
}

TEST_F(ComposeFiles, NameVersionsOfImages) {
  for (const auto& [name, service] : services().items())
    EXPECT_TRUE(std::regex_search(service["image"].get<std::string>(), std::regex(":v?[0-9][0-9a-z.-]*$"))) << name;
  const auto version = std::regex_replace(services()["order"]["image"].get<std::string>(), std::regex("^.*:"), "");
  EXPECT_NE(content(root() / "CMakeLists.txt").find("project(quadrille VERSION " + version), std::string::npos);
}

TEST_F(ComposeFiles, PublishOnTheLoopbackInterfaceOnly) {
  for (const auto& [name, service] : services().items())
    for (const auto& port : service.value("ports", json::array()))
      EXPECT_TRUE(port.get<std::string>().starts_with("127.0.0.1:")) << name << " publishes " << port;
  for (const auto* server : {"nats-1", "nats-2", "nats-3", "postgres"}) {
    EXPECT_FALSE(services()[server].contains("ports")) << server;
    EXPECT_EQ(services()[server]["networks"], json({"inside"})) << server;
  }
  EXPECT_EQ(file()["networks"]["inside"]["internal"], true);
}

TEST_F(ComposeFiles, MountWhatIsThere) {
  for (const auto& [name, service] : services().items())
    for (const auto& volume : service.value("volumes", json::array())) {
      const auto source = volume.get<std::string>().substr(0, volume.get<std::string>().find(':'));
      EXPECT_TRUE(source.starts_with("./") ? fs::exists(compose(source)) : file()["volumes"].contains(source))
          << name << " mounts " << source;
    }
}

TEST_F(ComposeFiles, UseSecretsThatAreMadeAndKeepThemOutOfEverythingElse) {
  const embedded::TemporaryFolder folder;
  const auto made = run({compose("secrets/make").string(), "--folder", folder.path().string()});
  ASSERT_EQ(made.exit_code, 0) << made.output;
  for (const auto& [name, secret] : file()["secrets"].items()) {
    const fs::path path = secret["file"].get<std::string>();
    EXPECT_EQ(path.parent_path(), "secrets/made") << name;
    EXPECT_TRUE(fs::exists(folder.path() / path.filename())) << name << " is not made";
  }
  for (const auto& [name, service] : services().items()) {
    for (const auto& secret : service.value("secrets", json::array()))
      EXPECT_TRUE(file()["secrets"].contains(secret.is_string() ? secret.get<std::string>()
                                                                : secret["source"].get<std::string>()))
          << name << " wants " << secret;
    const auto environment = service.value("environment", json::object());
    for (const auto& [variable, value] : environment.items())
      EXPECT_TRUE(variable.find("PASSWORD") == std::string::npos || variable.ends_with("_FILE"))
          << name << " has a password in its environment: " << variable;
  }
  // Again: what is there stays, so that servers that know it go on.
  const auto before = content(folder.path() / "nats.environment");
  ASSERT_EQ(run({compose("secrets/make").string(), "--folder", folder.path().string()}).exit_code, 0);
  EXPECT_EQ(content(folder.path() / "nats.environment"), before);
  EXPECT_EQ(fs::status(folder.path()).permissions(), fs::perms::owner_all);
}

TEST_F(ComposeFiles, StartProgramsThatAreBuiltWithSettingsTheyKnow) {
  const auto image = content(compose("Dockerfile"));
  for (const auto& [name, service] : services().items()) {
    if (!ours(service) || name == "tracker") continue;  // its settings are checked with its program
    const fs::path program = service["command"][0].get<std::string>();
    std::string known;
    if (name == "prepare") {
      EXPECT_EQ(program, "/usr/lib/quadrille/prepare");
      EXPECT_NE(image.find("COPY compose/entrypoint compose/prepare /usr/lib/quadrille/"), std::string::npos);
      known = run({(binaries() / "quadrille").string(), "deploy", "--help"}).output + content(compose("prepare"));
    } else {
      EXPECT_TRUE(fs::exists(binaries() / program.filename())) << program;
      known = run({(binaries() / program.filename()).string(), "--help"}).output;
    }
    for (const auto& [variable, value] : service["environment"].items())
      EXPECT_TRUE(std::regex_search(known, std::regex("\\b" + variable + "\\b"))) << name << " is given " << variable;
  }
  for (const auto* copied : {"/usr/share/quadrille/migrations/", "/usr/share/quadrille/contracts/"})
    EXPECT_NE(image.find(copied), std::string::npos);
}

TEST_F(ComposeFiles, LetEveryProgramHaveNoMoreThanItNeedsAndSayWhenItIsReady) {
  for (const auto& [name, service] : services().items()) {
    if (ours(service)) {
      EXPECT_EQ(service["read_only"], true) << name;
      EXPECT_EQ(service["cap_drop"], json({"ALL"})) << name;
    }
    EXPECT_EQ(service["security_opt"], json({"no-new-privileges:true"})) << name;
    EXPECT_TRUE(name == "prepare" || service.contains("healthcheck")) << name;
    if (ours(service) && name != "prepare") {
      EXPECT_NE(service["healthcheck"]["test"].dump().find("/ready"), std::string::npos) << name;
    }
  }
}

TEST_F(ComposeFiles, HaveWhatIsDerivedFromTheContracts) {
  for (const auto& [format, file] : {std::pair{"nats-permissions", "nats/permissions.conf"},
                                     std::pair{"alert-rules", "prometheus/objectives.yml"}}) {
    const auto derived = run({(binaries() / "quadrille").string(), "export", "contracts/shop", "--format", format});
    EXPECT_EQ(derived.exit_code, 0) << derived.output;
    EXPECT_EQ(content(compose(file)), derived.output)
        << "quadrille export contracts/shop --format " << format << " -o compose/" << file;
  }
}

TEST_F(ComposeFiles, ScrapeEveryServiceOfOurs) {
  const auto prometheus = json::parse(yaml_to_json(compose("prometheus/prometheus.yml")));
  std::vector<json> targets;
  for (const auto& job : prometheus["scrape_configs"])
    for (const auto& target : job["static_configs"][0]["targets"]) targets.push_back(target);
  for (const auto& [name, service] : services().items())
    if (ours(service) && name != "prepare") {
      EXPECT_NE(std::ranges::find(targets, json(name + ":8080")), targets.end()) << name;
    }
}

}  // namespace
}  // namespace quadrille
