#include "migrate/migrate.hpp"
#include "quadrille/error.hpp"
#include "support/temporary_database.hpp"

#include <gtest/gtest.h>
#include <pqxx/pqxx>

#include <fstream>
#include <thread>

namespace quadrille::migrate {
namespace {

namespace fs = std::filesystem;

class Migrate : public ::testing::Test {
 protected:
  Migrate() {
    static int count = 0;
    const auto name = "migrate_" + std::to_string(++count);
    pqxx::connection connection(support::postgres().conninfo("postgres"));
    pqxx::nontransaction work(connection);
    work.exec("CREATE DATABASE " + name);
    url_ = support::postgres().conninfo(name);
    fs::create_directories(folder_.path() / "payment");
    fs::copy(default_folder() / "framework", folder_.path() / "framework", fs::copy_options::recursive);
  }
  void write(const std::string& name, const std::string& sql) const { std::ofstream(folder_.path() / name) << sql; }
  std::vector<std::string> apply(bool dry_run = false) {
    return migrate::apply(url_, find(folder_.path(), "payment"), dry_run);
  }
  std::string refusal() {
    try {
      apply();
    } catch (const Error& error) {
      EXPECT_EQ(error.disposition(), Disposition::stop);
      return error.what();
    }
    return "applied";
  }

  embedded::TemporaryFolder folder_;
  std::string url_;
};

TEST_F(Migrate, AppliesWhatIsMissingOnceAndInOrder) {
  write("payment/0001_notes.sql", "CREATE TABLE notes (x integer);");
  const auto first = apply();
  ASSERT_EQ(first.size(), 8U);
  EXPECT_EQ(first.front(), "framework/0001_events.sql");
  EXPECT_EQ(first.back(), "payment/0001_notes.sql");
  EXPECT_TRUE(apply().empty());
  write("payment/0002_more.sql", "ALTER TABLE notes ADD y integer;");
  EXPECT_EQ(apply(), std::vector<std::string>{"payment/0002_more.sql"});
}

TEST_F(Migrate, TakesTheFrameworksFromWhereItIsInstalledWhenAProjectHasItsOwnOnly) {
  fs::remove_all(folder_.path() / "framework");
  write("payment/0001_notes.sql", "CREATE TABLE notes (x integer);");
  const auto applied = apply();
  EXPECT_EQ(applied.front(), "framework/0001_events.sql");
  EXPECT_EQ(applied.back(), "payment/0001_notes.sql");
}

TEST_F(Migrate, OnlySaysWhatItWouldDoWhenDry) {
  EXPECT_EQ(apply(true).size(), 7U);
  EXPECT_EQ(apply(true).size(), 7U);
}

TEST_F(Migrate, RefusesAnAppliedFileThatWasChangedOrIsGone) {
  write("payment/0001_notes.sql", "CREATE TABLE notes (x integer);");
  apply();
  write("payment/0001_notes.sql", "CREATE TABLE notes (x bigint);");
  EXPECT_NE(refusal().find("payment/0001_notes.sql was changed after it was applied"), std::string::npos);
  fs::remove(folder_.path() / "payment/0001_notes.sql");
  EXPECT_NE(refusal().find("payment/0001_notes.sql was applied to this database but its file is gone"),
            std::string::npos);
}

TEST_F(Migrate, RollsBackAMigrationThatFails) {
  write("payment/0001_broken.sql", "CREATE TABLE half (x integer); SELECT 1/0;");
  EXPECT_NE(refusal().find("payment/0001_broken.sql failed and was rolled back"), std::string::npos);
  write("payment/0001_broken.sql", "CREATE TABLE half (x integer);");
  EXPECT_EQ(apply(), std::vector<std::string>{"payment/0001_broken.sql"});
}

TEST_F(Migrate, MayBeRunBySeveralAtOnce) {
  std::atomic<std::size_t> applied{0};
  {
    std::vector<std::jthread> all;
    for (int i = 0; i < 4; ++i) all.emplace_back([&] { applied += apply().size(); });
  }
  EXPECT_EQ(applied, 7U);
}

}  // namespace
}  // namespace quadrille::migrate
