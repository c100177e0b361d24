// framework/docs where commands ask a running system: one shop, in which one order asks for a nonsensical amount and is
// stuck, and a second one after it.
#include "embedded/child_process.hpp"
#include "embedded/probe.hpp"
#include "page_blocks.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <regex>
#include <set>

namespace quadrille::docs {
namespace {

namespace fs = std::filesystem;

class RunningShop {
 public:
  RunningShop() {
    const auto output = folder_.path() / "terminal";
    terminal_.emplace(
        embedded::Command{.arguments = {(fs::canonical("/proc/self/exe").parent_path() / "quadrille").string(), "dev",
                                        "--folder", (folder_.path() / "shop").string(), "run"},
                          .environment = {},
                          .output = output,
                          .directory = folder_.path()});
    embedded::await([&] { return content(output).find("Ctrl-C") != std::string::npos; }, std::chrono::seconds(60));
    const auto said = content(output);
    const auto find = [&](const char* pattern) {
      std::smatch match;
      return std::regex_search(said, match, std::regex(pattern)) ? match[1].str() : "not in: " + said;
    };
    environment_ = {{"QUADRILLE_NATS_URL", find("(nats://[0-9.:]+)")},
                    {"QUADRILLE_TRACKER", find(R"((http://[0-9.:]+)  \(tracker\))")},
                    {"QUADRILLE_TOKEN_FILE", (folder_.path() / "shop" / "tracker-token").string()},
                    {"PAYMENT_DATABASE", find("(host=[0-9.]+ port=[0-9]+ dbname=payment .*)")},
                    {"ORDER", find(R"((http://[0-9.:]+)  \(order\))")},
                    {"NEW", (folder_.path() / "new").string()}};
    // Pages change what they work on: copies.
    const fs::path source(QUADRILLE_SOURCE_DIR);
    for (const auto& copy : {"contracts", "new"})
      fs::copy(source / "contracts", folder_.path() / copy, fs::copy_options::recursive);
    fs::create_directories(folder_.path() / "tests");
    fs::copy(source / "tests" / "docs", folder_.path() / "tests" / "docs", fs::copy_options::recursive);
    const auto stuck = order_nonsense("1");
    environment_["SAGA"] = stuck.at("saga_id");
    environment_["KEY"] = stuck.at("key");
    embedded::await(
        [&] {
          const auto list = shell("quadrille parked list --participant payment --format json", environment_);
          const auto all = nlohmann::json::parse(list.output, nullptr, false);
          if (!all.is_array() || all.empty()) return false;
          environment_["MESSAGE"] = all.front().at("message_id");
          return true;
        },
        std::chrono::seconds(30));
  }
  ~RunningShop() {
    terminal_->signal(SIGINT);
    terminal_->wait(std::chrono::seconds(60));
  }
  RunningShop(const RunningShop&) = delete;
  RunningShop& operator=(const RunningShop&) = delete;

  /// One more saga that is stuck.
  void another() { environment_["OTHER_SAGA"] = order_nonsense("2").at("saga_id"); }
  [[nodiscard]] Answer run(const std::string& script) const {
    return shell("cd " + folder_.path().string() + "\n" + script, environment_);
  }

 private:
  nlohmann::json order_nonsense(const std::string& key) {
    const auto answer = shell("curl -sf $ORDER/orders -H 'Idempotency-Key: " + key +
                                  R"(' -d '{"customer_id": "ada", "item": "clock", "quantity": 1,)" +
                                  R"( "amount_cents": 18446744073709551615}')",
                              environment_);
    return nlohmann::json::parse(answer.output);
  }

  embedded::TemporaryFolder folder_;
  std::map<std::string, std::string> environment_;
  std::optional<embedded::ChildProcess> terminal_;
};

/// Empty where the block does and says what the page tells, else what it does instead.
std::string complaint(const RunningShop& shop, const Block& block, const std::string& shown) {
  const auto answer = shop.run(block.text);
  if (answer.exit_code != (block.is("fails") ? 1 : 0))
    return "exit code " + std::to_string(answer.exit_code) + "\n" + answer.output;
  const auto line = missing_line(shown, answer.output);
  return line.empty() ? "" : "no line\n" + line + "\nin\n" + answer.output;
}

/// Prometheus's text as a table: name, labels, help.
std::string metrics_table(const std::string& text) {
  std::map<std::string, std::string> rows;
  const std::regex help("# HELP (\\w+) ([^\n]+)");
  for (std::sregex_iterator found(text.begin(), text.end(), help), end; found != end; ++found) {
    const auto name = (*found)[1].str();
    std::smatch series;
    std::string labels;
    if (std::regex_search(text, series, std::regex("\n" + name + "\\{([^\n]*)\\} "))) {
      const auto all = series[1].str();
      const std::regex label("(\\w+)=");
      for (std::sregex_iterator one(all.begin(), all.end(), label); one != end; ++one)
        labels += (labels.empty() ? "`" : ", `") + (*one)[1].str() + "`";
    }
    rows[name] = "| `" + name + "` | " + labels + " | " + (*found)[2].str() + " |\n";
  }
  std::string table = "All are gauges.\n\n| metric | labels | meaning |\n|---|---|---|\n";
  for (const auto& [name, row] : rows) table += row;
  return table;
}

TEST(Pages, HaveCommandsThatDoAndSayInARunningShopWhatTheyTell) {
  RunningShop shop;
  // While a saga waits and is stuck, so that every series is there.
  expect_reference(
      "tracker-metrics.md", "Metrics of the tracker",
      metrics_table(shop.run("until curl -sf $QUADRILLE_TRACKER/metrics | grep -q 'saga_stuck.*contract'; do "
                             "sleep 0.05; done; curl -sf $QUADRILLE_TRACKER/metrics")
                        .output));
  const auto all = blocks();
  std::size_t count = 0;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const auto& block = all[at];
    if (!block.is("running")) continue;
    if (block.text.find("cancel $OTHER_SAGA") != std::string::npos) shop.another();
    const bool has_output = at + 1 < all.size() && all[at + 1].is("output");
    const auto shown = has_output ? all[at + 1].text : "";
    std::string wrong;
    const auto right = [&] { return (wrong = complaint(shop, block, shown)).empty(); };
    const bool patient = block.is("await") || block.text.find("$OTHER_SAGA") != std::string::npos;
    EXPECT_TRUE(patient ? embedded::await(right, std::chrono::seconds(30)) : right()) << block.page << "\n"
                                                                                      << block.text << wrong;
    ++count;
  }
  EXPECT_GT(count, 10U);
}

TEST(Pages, SayWhereToGoForEveryAlert) {
  const auto page = content(pages() / "operate.md");
  const auto rules = content(fs::path(QUADRILLE_SOURCE_DIR) / "compose" / "prometheus" / "alerts.yml");
  const std::regex alert(R"(- alert: (\w+))");
  std::size_t count = 0;
  for (std::sregex_iterator found(rules.begin(), rules.end(), alert), end; found != end; ++found, ++count)
    EXPECT_TRUE(std::regex_search(page, std::regex("\\| ([^|]*, )?" + (*found)[1].str() + "[ ,]"))) << (*found)[1];
  EXPECT_GT(count, 10U);
}

}  // namespace
}  // namespace quadrille::docs
