#include "runtime/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

namespace quadrille::runtime {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// The settings of a participant as its program reads them, with what it prints.
class Configured : public ::testing::Test {
 protected:
  struct Answer {
    ParsedSettings parsed;
    std::string printed;
    std::string complained;
  };

  ~Configured() override {
    for (const auto& [name, value] : environment_) ::unsetenv(name.c_str());
    std::filesystem::remove(file_);
  }
  void set(const std::string& name, const std::string& value) {
    environment_[name] = value;
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  std::string file(const std::string& text) {
    std::ofstream(file_) << text;
    return file_.string();
  }
  static Answer read(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "payment");
    std::vector<char*> pointers;
    for (auto& argument : arguments) pointers.push_back(argument.data());
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    auto parsed = parse_settings(static_cast<int>(pointers.size()), pointers.data(), "payment");
    auto printed = ::testing::internal::GetCapturedStdout();
    return {std::move(parsed), std::move(printed), ::testing::internal::GetCapturedStderr()};
  }

  std::map<std::string, std::string> environment_;
  const std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("configuration-" + std::to_string(::getpid()) + ".toml");
};

TEST_F(Configured, PrintsWhereEachValueComesFromAndNoSecrets) {
  set("QUADRILLE_DATABASE_URL", "postgresql://shop:s3cret@db/payment");
  set("QUADRILLE_BATCH", "9");
  set("QUADRILLE_NATS_ULR", "nats://typo");
  const auto path = file(
      "batch = 7\nmax-attempts = 3\nrelay = \"log-tailing\"\nnats-url = \"nats://u:s3cret@n:1\"\n"
      "timeout = [\"A=3s\", \"B=1m\"]\n");
  const auto answer = read({"--config", path, "--max-attempts", "5", "--log-level", "debug", "--print-config"});
  EXPECT_EQ(answer.parsed.exit_code, 0);
  EXPECT_THAT(answer.printed, Not(HasSubstr("s3cret")));
  EXPECT_THAT(answer.printed, ContainsRegex("\nnats-url = \"nats://u:\\*\\*\\*@n:1\" +# file " + path + "\n"));
  EXPECT_THAT(answer.printed, ContainsRegex("\ndatabase-url = .* +# environment QUADRILLE_DATABASE_URL\n"));
  EXPECT_THAT(answer.printed, ContainsRegex("\nbatch = \"9\" +# environment QUADRILLE_BATCH, instead of the file\n"));
  EXPECT_THAT(answer.printed, ContainsRegex("\nmax-attempts = \"5\" +# flag, instead of the file\n"));
  EXPECT_THAT(answer.printed, ContainsRegex("\nlog-level = \"debug\" +# flag\n"));
  EXPECT_THAT(answer.printed, ContainsRegex("\ntimeout = \\[\"A=3s\", \"B=1m\"\\] +# file"));
  EXPECT_THAT(answer.printed, ContainsRegex("\n# lease-time = \"5s\" +# default\n"));
  EXPECT_THAT(answer.printed, ContainsRegex("\n# tls-ca = \"\" +# not set\n"));
  EXPECT_THAT(answer.printed, HasSubstr("# QUADRILLE_NATS_ULR is in the environment, and no setting reads it\n"));
  const auto& settings = answer.parsed.settings;
  EXPECT_EQ(settings.batch, 9U);
  EXPECT_EQ(settings.max_attempts, 5U);
  EXPECT_EQ(settings.relay, RelayKind::log_tailing);
  EXPECT_EQ(settings.timeouts.size(), 2U);
}

TEST_F(Configured, CanBeReadAgainFromWhatItPrinted) {
  const auto first =
      read({"--database-url", "host=db dbname=payment", "--batch", "4", "--first-retry", "1500ms", "--print-config"});
  const auto again = read({"--config", file(first.printed)});
  EXPECT_EQ(again.parsed.exit_code, std::nullopt) << again.complained;
  EXPECT_EQ(again.parsed.settings.database_url, "host=db dbname=payment");
  EXPECT_EQ(again.parsed.settings.batch, 4U);
  EXPECT_EQ(again.parsed.settings.first_retry, std::chrono::milliseconds(1500));
}

TEST_F(Configured, IsPrintedAlsoWhereSomethingIsMissing) {
  const auto answer = read({"--print-config"});
  EXPECT_EQ(answer.parsed.exit_code, 2);
  EXPECT_THAT(answer.printed, HasSubstr("# database-url = \"\""));
  EXPECT_THAT(answer.complained, AllOf(HasSubstr("--database-url"), HasSubstr("QUADRILLE_DATABASE_URL")));
}

TEST_F(Configured, ComplainsWithSettingValueOriginAndWhatIsWanted) {
  set("QUADRILLE_DATABASE_URL", "host=db");
  const auto flag = read({"--lease-time", "5"});
  EXPECT_EQ(flag.parsed.exit_code, 2);
  EXPECT_THAT(flag.complained, AllOf(HasSubstr("--lease-time: '5' is not a time such as 500ms"),
                                     HasSubstr("It comes from: flag\n"), HasSubstr("--print-config shows")));
  const auto in_file = read({"--config", file("relay = \"pigeon\"\n")});
  EXPECT_EQ(in_file.parsed.exit_code, 2);
  EXPECT_THAT(in_file.complained, AllOf(HasSubstr("--relay: pigeon not in {log-tailing,polling}"),
                                        HasSubstr("It comes from: file " + file_.string())));
  const auto unknown = read({"--config", file("bacth = 4\n")});
  EXPECT_EQ(unknown.parsed.exit_code, 2);
  EXPECT_THAT(unknown.complained, HasSubstr("there is no setting 'bacth'"));
  const auto alone = read({"--nats-nkey", "UABC"});
  EXPECT_EQ(alone.parsed.exit_code, 2);
  EXPECT_THAT(alone.complained, HasSubstr("--nats-nkey requires --nats-nkey-seed (or QUADRILLE_NATS_NKEY_SEED"));
  set("QUADRILLE_BATCH", "0");
  const auto variable = read({});
  EXPECT_EQ(variable.parsed.exit_code, 2);
  EXPECT_THAT(variable.complained, AllOf(HasSubstr("--batch: Value 0 not in range 1 to 10000"),
                                         HasSubstr("It comes from: environment QUADRILLE_BATCH")));
}

TEST_F(Configured, SaysItsVersionAndWhatItIsBuiltWith) {
  const auto answer = read({"--version"});
  EXPECT_EQ(answer.parsed.exit_code, 0);
  EXPECT_THAT(answer.printed,
              ContainsRegex("^payment [0-9]+\\.[0-9]+\\.[0-9]+ \\(commit ([0-9a-f]+|unknown)\\)\nbuilt with .*protobuf "
                            "[0-9.]+, nats.c [0-9.]+, libpqxx [0-9.]+"));
}

}  // namespace
}  // namespace quadrille::runtime
