// The built tool, as a user runs it: exit codes, messages, golden drawings.
#include "embedded/child_process.hpp"
#include "support/program.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

void expect_golden(const std::string& name, const std::string& actual) {
  const auto file = fs::path(QUADRILLE_SOURCE_DIR) / "tests" / "checker" / "golden" / name;
  if (std::getenv("QUADRILLE_WRITE_GOLDEN") != nullptr) std::ofstream(file) << actual;
  EXPECT_EQ(content(file), actual) << "QUADRILLE_WRITE_GOLDEN=1 accepts what is drawn now";
}

TEST(Tool, SaysGoodFaultyAndImpossibleByItsExitCode) {
  EXPECT_EQ(tool({"check", "contracts/shop"}).exit_code, 0);
  EXPECT_EQ(tool({"check", "tests/checker/textbook"}).exit_code, 1);
  EXPECT_EQ(tool({"check", "tests/checker/rules/QDR172/faulty"}).exit_code, 0);
  EXPECT_EQ(tool({"check", "--strict", "tests/checker/rules/QDR172/faulty"}).exit_code, 1);
  const auto nowhere = tool({"check", "no/such/folder"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_EQ(nowhere.output, "quadrille: there is no no/such/folder\n");
  EXPECT_EQ(tool({"check"}).exit_code, 2);
  EXPECT_EQ(tool({"no-such-command"}).exit_code, 2);
  EXPECT_EQ(tool({"--help"}).exit_code, 0);
}

TEST(Tool, ReadsTheEnvironmentForWhatIsCalledOnly) {
  const std::string quadrille = (binaries() / "quadrille").string();
  const auto check = run({quadrille, "check", "contracts/shop"},
                         {{"QUADRILLE_TLS_CA", "/nonexistent"}, {"QUADRILLE_REPLICAS", "nine"}});
  EXPECT_EQ(check.exit_code, 0) << check.output;
  for (const auto* command : {"list", "show x", "retry x --why y"}) {
    std::vector<std::string> arguments{quadrille, "saga"};
    std::istringstream words(command);
    for (std::string word; words >> word;) arguments.push_back(word);
    arguments.insert(arguments.end(), {"--tracker", "http://127.0.0.1:1"});
    const auto answer = run(arguments, {{"QUADRILLE_TRACKER", "http://127.0.0.1:2"}});
    EXPECT_EQ(answer.exit_code, 2);
    EXPECT_NE(answer.output.find("the tracker at http://127.0.0.1:1 does not answer"), std::string::npos)
        << command << ": " << answer.output;
  }
  const auto parked = run({quadrille, "parked", "list", "--participant", "payment", "--nats-url", "nats://127.0.0.1:1"},
                          {{"QUADRILLE_NATS_URL", "nats://127.0.0.1:2"}});
  EXPECT_NE(parked.output.find("127.0.0.1:1"), std::string::npos) << parked.output;
  const auto of_environment = run({quadrille, "saga", "list"}, {{"QUADRILLE_TRACKER", "http://127.0.0.1:2"}});
  EXPECT_NE(of_environment.output.find("http://127.0.0.1:2"), std::string::npos) << of_environment.output;
}

TEST(Tool, DoesNotCallAFolderGoodThatDeclaresNoParticipant) {
  const auto answer = tool({"check", "contracts/shop/order/v1/order_events.proto"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.output.find("declares no participant"), std::string::npos) << answer.output;
}

TEST(Tool, NamesThePlaceTheFaultAndTheRepair) {
  const auto answer = tool({"check", "tests/checker/textbook"});
  EXPECT_NE(answer.output.find("tests/checker/textbook/shop/order/v1/order.proto:29:3: error QDR161: timeout "
                               "order.Expire leads to payment.Void without asking "
                               "inventory, which decides inventory.Reserve: both may win\n"
                               "  path: order.Expire (timer) -> OrderExpired -> payment.Void\n  hint: "),
            std::string::npos)
      << answer.output;
}

TEST(Tool, PassesOnWhatTheParserSays) {
  const embedded::TemporaryFolder folder;
  std::ofstream(folder.path() / "broken.proto") << "syntax = \"proto3\";\nmessage Broken {\n  string x = ;\n}\n";
  const auto answer = tool({"check", folder.path().string()});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(answer.output.find("broken.proto:3:14: error QDR100: "), std::string::npos) << answer.output;
}

TEST(Tool, LetsAConsumerGoBeforeWhoWillSayWhatItHears) {
  const embedded::TemporaryFolder folder;
  const auto shop = folder.path() / "shop";
  fs::copy(fs::path(QUADRILLE_SOURCE_DIR) / "contracts" / "shop", shop, fs::copy_options::recursive);
  std::ofstream(shop / "inventory/v1/inventory_events.proto", std::ios::app)
      << "message StockPacked {\n  option (quadrille.v1.event) = {};\n  string order_id = 1 [(quadrille.v1.field).key "
         "= "
         "true];\n}\n";
  auto steps = content(shop / "shipping/v1/shipping.proto");
  const auto service = steps.find("service ShippingSteps {\n");
  ASSERT_NE(service, std::string::npos);
  steps.insert(service + 24,
               "  rpc Note(shop.inventory.v1.StockPacked) returns (NoteOutcome) {\n    option (quadrille.v1.step) = { "
               "kind: OBSERVER };\n  }\n");
  steps.insert(service, "message NoteOutcome {\n  quadrille.v1.Nothing nothing = 1;\n}\n");
  steps.insert(steps.find("import \"shop/"), "import \"shop/inventory/v1/inventory_events.proto\";\n");
  std::ofstream(shop / "shipping/v1/shipping.proto") << steps;
  const auto answer = tool({"can-deploy", (shop / "shipping").string(), "--deployed", "contracts/shop"});
  EXPECT_EQ(answer.exit_code, 0) << answer.output;
  EXPECT_NE(answer.output.find("warning QDR101"), std::string::npos) << answer.output;
}

TEST(Tool, ExplainsARuleByAFaultAndItsRepair) {
  const auto answer = tool({"explain", "QDR161"});
  EXPECT_EQ(answer.exit_code, 0);
  for (const auto* part : {"Why it hurts", "the customer is refunded and gets the goods", "With the fault (shop.proto)",
                           "Repaired (shop.proto)", "settles: \"Abandon\""})
    EXPECT_NE(answer.output.find(part), std::string::npos) << part << " in\n" << answer.output;
  EXPECT_NE(tool({"explain"}).output.find("QDR140  a cycle without a bound"), std::string::npos);
  EXPECT_EQ(tool({"explain", "QDR999"}).exit_code, 2);
}

TEST(Tool, DerivesPermissionsFromTheContracts) {
  const auto answer = tool({"export", "contracts/shop", "--format", "nats-permissions"});
  EXPECT_EQ(answer.exit_code, 0) << answer.output;
  for (const auto* part :
       {"user: \"payment\", password: $PAYMENT_PASSWORD", "\"evt.*.payment.>\"", "\"evt.*.supervision.payment.>\"",
        "\"$JS.API.CONSUMER.MSG.NEXT.EVT.payment-order-15\"", "\"_INBOX_payment.>\"", "\"quadrille.act.payment\"",
        "user: \"tracker\", password: $TRACKER_PASSWORD"})
    EXPECT_NE(answer.output.find(part), std::string::npos) << part;
  const auto participants = answer.output.substr(answer.output.find("user: \"order\""));
  EXPECT_EQ(participants.find("CONSUMER.CREATE"), std::string::npos);
  EXPECT_EQ(participants.find("quadrille.act.>"), std::string::npos);
}

TEST(Tool, SaysHowToGoOnWhenAnImportOrANameIsNotFound) {
  const embedded::TemporaryFolder folder;
  fs::copy(fs::path(QUADRILLE_SOURCE_DIR) / "contracts" / "shop", folder.path() / "elsewhere",
           fs::copy_options::recursive);
  const auto lost = tool({"check", (folder.path() / "elsewhere").string()});
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_NE(lost.output.find("File not found"), std::string::npos) << lost.output;
  EXPECT_NE(lost.output.find("say by -I what imports are relative to"), std::string::npos) << lost.output;
  EXPECT_EQ(lost.output.find("already defined"), std::string::npos) << "ours must not stand in for the user's";
  fs::create_directories(folder.path() / "root");
  fs::rename(folder.path() / "elsewhere", folder.path() / "root" / "shop");
  EXPECT_EQ(tool({"check", (folder.path() / "root").string()}).exit_code, 0);
  const auto file = folder.path() / "root" / "shop" / "payment" / "v1" / "payment.proto";
  auto text = content(file);
  text.replace(text.find("shop.order.v1.OrderPlaced"), 25, "shop.order.v1.OrderPlacd");
  std::ofstream(file) << text;
  const auto typo = tool({"check", (folder.path() / "root").string()});
  EXPECT_EQ(typo.exit_code, 1);
  EXPECT_NE(
      typo.output.find(
          "payment.proto:36:17: error QDR100: \"shop.order.v1.OrderPlacd\" is not defined.\n  hint: correct the name"),
      std::string::npos)
      << typo.output;
}

TEST(Tool, DrawsTheShopTheSameEveryTime) {
  expect_golden("shop.txt", tool({"graph", "contracts/shop"}).output);
  expect_golden("shop.dot", tool({"graph", "contracts/shop", "--format", "dot"}).output);
  expect_golden("shop.mermaid", tool({"graph", "contracts/shop", "--format", "mermaid"}).output);
  expect_golden("shop-services.dot", tool({"graph", "contracts/shop", "--view", "services", "--format", "dot"}).output);
  expect_golden("orchestrated.txt", tool({"graph", "contracts/orchestrated"}).output);
  expect_golden(
      "both-services.mermaid",
      tool({"graph", "contracts/shop", "contracts/orchestrated", "--view", "services", "--format", "mermaid"}).output);
}

TEST(Tool, DrawsWhatGraphvizAccepts) {
  const embedded::TemporaryFolder folder;
  const auto source = folder.path() / "shop.dot";
  const auto drawing = folder.path() / "shop.svg";
  ASSERT_EQ(tool({"graph", "contracts/shop", "--format", "dot", "-o", source.string()}).exit_code, 0);
  embedded::ChildProcess dot({.arguments = {"dot", "-Tsvg", "-o", drawing.string(), source.string()}});
  EXPECT_EQ(dot.wait(std::chrono::seconds(60)).value_or(-1), 0);
  EXPECT_NE(content(drawing).find("PaymentDeclined"), std::string::npos);
}

TEST(Tool, DrawsSvgWithoutAnyOtherProgram) {
  const auto answer = tool({"graph", "contracts/shop", "--format", "svg"});
  EXPECT_EQ(answer.exit_code, 0) << answer.output;
  EXPECT_EQ(answer.output.rfind("<svg", 0), 0U);
  EXPECT_NE(answer.output.find(">PaymentDeclined</text>"), std::string::npos);
  EXPECT_EQ(answer.output, tool({"graph", "contracts/shop", "--format", "svg"}).output);
}

TEST(Tool, OffersTheViewsThereAre) {
  const auto answer = tool({"graph", "contracts/shop", "--view", "saga:return"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.output,
            "quadrille: --view saga:return: choose one of saga:checkout services event:TYPE finding:ID\n");
}

TEST(Docs, ThePageOfRulesIsWhatTheToolSays) {
  const auto page = tool({"explain", "--page"}).output;
  EXPECT_EQ(content(fs::path(QUADRILLE_SOURCE_DIR) / "tools" / "checker" / "RULES.md"), page)
      << "write it anew: quadrille explain --page > tools/checker/RULES.md";
}

TEST(Docs, TheCommandsOfTheAdoptionPageDoWhatTheyAreShownFor) {
  const embedded::TemporaryFolder folder;
  fs::create_directory_symlink(fs::path(QUADRILLE_SOURCE_DIR) / "contracts", folder.path() / "contracts");
  std::istringstream page(content(fs::path(QUADRILLE_SOURCE_DIR) / "contracts" / "ADOPTING.md"));
  int commands = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("$ quadrille ")) continue;
    ++commands;
    const auto program = (fs::canonical("/proc/self/exe").parent_path() / "quadrille").string();
    std::vector<std::string> arguments{program};
    std::istringstream words(line.substr(12));
    for (std::string word; words >> word;) arguments.push_back(word);
    const auto output = folder.path() / "output";
    embedded::ChildProcess process({.arguments = arguments, .output = output, .directory = folder.path()});
    EXPECT_EQ(process.wait(std::chrono::seconds(60)), 0) << line << "\n" << content(output);
  }
  EXPECT_EQ(commands, 7);
}

}  // namespace
}  // namespace quadrille
