// The report in a real browser, as its reader has it.
#include "browser.hpp"
#include "checker/check.hpp"
#include "embedded/child_process.hpp"
#include "report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace quadrille {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// As the built tool makes it.
std::string report_of(const std::string& contracts) {
  const embedded::TemporaryFolder folder;
  const auto file = folder.path() / "report.html";
  embedded::ChildProcess tool({.arguments = {(fs::canonical("/proc/self/exe").parent_path() / "quadrille").string(),
                                             "graph", contracts, "--format", "html", "-o", file.string()},
                               .directory = QUADRILLE_SOURCE_DIR});
  EXPECT_EQ(tool.wait(std::chrono::seconds(60)).value_or(-1), 0);
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

json look(const std::string& page, const std::string& script, int width = 1280) {
  const auto look = look_at(page, script, width);
  EXPECT_THAT(look.console, IsEmpty());
  EXPECT_THAT(look.requests, IsEmpty()) << "the report fetches nothing";
  EXPECT_FALSE(look.answer.contains("failed")) << look.answer;
  return look.answer;
}

const std::string visit_all = R"(
  const seen = {};
  for (const hash of ['#/findings', '#/services', '#/services/order', '#/saga/checkout', '#/saga/checkout/1', '#/event', '#/matrix',
                      '#/event/shop.payment.v1.PaymentDeclined/3', '#/participant', '#/participant/payment', '#/rule',
                      '#/rule/QDR161', '#/search/Pay']) {
    await go(hash);
    const main = page().getElementById('main');
    const current = page().querySelector('#tabs [aria-current]');
    seen[hash] = {view: main.dataset.view, heading: main.querySelector('h1').textContent, title: page().title,
                  text: main.textContent, nodes: main.querySelectorAll('svg.drawing .node').length,
                  width: page().documentElement.scrollWidth, tab: current && current.textContent};
  }
  return seen;
)";

TEST(Report, HasAViewForEveryLink) {
  const auto seen = look(report_of("contracts/shop"), visit_all);
  const auto expect = [&](const char* hash, const char* view, const char* heading, const char* tab, const char* text) {
    const auto& one = seen.at(hash);
    EXPECT_EQ(one["view"], view);
    EXPECT_EQ(one["heading"], heading);
    EXPECT_EQ(one["tab"], tab);
    EXPECT_THAT(one["title"].get<std::string>(), HasSubstr(heading));
    EXPECT_THAT(one["text"].get<std::string>(), HasSubstr(text)) << hash;
  };
  expect("#/findings", "findings", "Findings", "Findings", "they are released and understood together");
  expect("#/services", "services", "Services", "Services", "warehouse-team");
  expect("#/services/order", "services", "Around order", "Services", "money-team");
  expect("#/saga/checkout", "saga", "Saga checkout", "Sagas", "after 15 min");
  expect("#/event", "event", "Events", "Events", "shop.order.v1.OrderPlaced");
  expect("#/event/shop.payment.v1.PaymentDeclined/3", "event", "Around PaymentDeclined", "Events", "order.Reject");
  expect("#/matrix", "matrix", "Who says and hears what", "Matrix", "▼ hears");
  expect("#/participant", "participant", "Contracts", "Contracts", "logistics-team");
  expect("#/participant/payment", "participant", "Contract of payment", "Contracts",
         "PaymentAuthorized or PaymentDeclined");
  expect("#/rule/QDR161", "rule", "QDR161: a time-out beside the pivot", "Rules", "Why it hurts");
  EXPECT_EQ(seen["#/services"]["nodes"], 4);
  EXPECT_EQ(seen["#/saga/checkout"]["nodes"], 16);
  EXPECT_GT(seen["#/event/shop.payment.v1.PaymentDeclined/3"]["nodes"], 4);
}

TEST(Report, FitsANarrowPage) {
  constexpr int width = 400;
  const auto seen = look(report_of("contracts/shop"), visit_all, width);
  for (const auto& [hash, one] : seen.items()) EXPECT_LE(one["width"], width) << hash;
}

TEST(Report, LightsWhatTakesPartInAScenario) {
  const auto lit = look(report_of("contracts/shop"), R"(
    const lit = {};
    await go('#/saga/checkout');
    for (const link of [...page().querySelectorAll('.scenarios a')]) {
      await go(link.hash);
      lit[link.textContent] = [...page().querySelectorAll('.lit > title')].map((one) => one.textContent);
    }
    return lit;
  )");
  EXPECT_THAT(lit.at("everything"), IsEmpty());
  const auto happy = lit.at("happy path").get<std::vector<std::string>>();
  EXPECT_THAT(happy, testing::Contains("inventory.Reserve (pivot)"));
  EXPECT_THAT(happy, testing::Contains("order.Confirm to COMPLETED: OrderConfirmed"));
  EXPECT_THAT(happy, Not(testing::Contains("CANCELLED")));
  const auto declined = lit.at("PaymentDeclined by payment.Authorize").get<std::vector<std::string>>();
  EXPECT_THAT(declined, testing::Contains("payment.Authorize to order.Reject: PaymentDeclined"));
  EXPECT_THAT(declined, testing::Contains("CANCELLED"));
  EXPECT_THAT(declined, Not(testing::Contains("inventory.Reserve (pivot)")));
}

TEST(Report, FindsByKeyboardAlone) {
  const auto answer = look(report_of("contracts/shop"), R"(
    await press('/');
    const focused = page().activeElement.id;
    await type('ship');
    const hits = [...page().querySelectorAll('#hits [role=option]')].map((one) => one.textContent);
    await press('ArrowDown');
    await press('ArrowUp');
    const active = page().getElementById(page().activeElement.getAttribute('aria-activedescendant')).textContent;
    await press('Enter');
    return {focused, hits, active, hash: frame.location.hash, heading: page().querySelector('h1').textContent,
            focus: page().activeElement.id, open: !page().getElementById('hits').hidden};
  )");
  EXPECT_EQ(answer["focused"], "search");
  EXPECT_THAT(answer["hits"].dump(), HasSubstr("shipping.Book"));
  EXPECT_THAT(answer["active"].get<std::string>(), HasSubstr("shipping"));
  EXPECT_EQ(answer["hash"], "#/participant/shipping");
  EXPECT_EQ(answer["heading"], "Contract of shipping");
  EXPECT_EQ(answer["focus"], "main") << "who goes on reading is at the new content";
  EXPECT_EQ(answer["open"], false);
}

TEST(Report, FiltersFindingsAndShowsTheWayToEach) {
  const auto answer = look(report_of("tests/checker/textbook"), R"(
    await go('#/findings');
    const severities = () => [...page().querySelectorAll('.finding .badge:first-child')].map((one) => one.textContent);
    const all = severities();
    const witness = [...page().querySelector('.witness').children].map((one) => one.textContent);
    await go('#/findings/warning');
    return {all, witness, warnings: severities()};
  )");
  EXPECT_EQ(answer["all"][0], "✖ error") << "the worst first";
  EXPECT_GE(answer["witness"].size(), 2U);
  ASSERT_GE(answer["warnings"].size(), 1U);
  for (const auto& one : answer["warnings"]) EXPECT_EQ(one, "▲ warning");
}

constexpr const char* hostile =
    "</script><img src=/x onerror='hacked=1'><script>hacked=1</script>]]>&amp;\"'{{script}}";

/// Hostile wherever a contract may say anything, and where it may not.
contract::Model hostile_model() {
  contract::Model model;
  contract::EventType event;
  event.name = event.short_name = event.context = event.aggregate = event.key_field = hostile;
  event.fields = {{hostile}};
  event.roles.emplace_back().set_saga(hostile);
  event.roles.back().set_role(v1::SagaRole::START);
  event.location.file = hostile;
  model.events[event.name] = event;
  contract::Step step;
  step.name = step.participant = step.service = step.compensated_by = hostile;
  step.kind = v1::QUERY;
  step.triggers = {hostile};
  step.trigger_fields = {""};
  step.outcomes.push_back({false, false, {hostile}, {hostile}});
  step.holds = {hostile};
  model.participants.push_back({.name = hostile, .owner = hostile, .description = hostile, .service = hostile});
  model.participants.back().steps.push_back(step);
  return model;
}

TEST(Report, KeepsHostileNamesAsText) {
  const auto model = hostile_model();
  const checker::Graph graph(model);
  report::Report input{graph, {}, {}};
  for (const auto& saga : checker::sagas(graph)) input.sagas.push_back({saga, graph::scenarios(graph, saga)});
  ASSERT_EQ(input.sagas.size(), 1U);
  input.findings.push_back(
      {hostile, checker::Severity::error, {hostile, 1, 1}, hostile, hostile, {{hostile, {}}}, {}, hostile, hostile});
  const auto answer = look(report::as_html(input), R"(
    const name = JSON.parse(page().getElementById('model').textContent).participants[0].name;
    const encoded = encodeURIComponent(name);
    const seen = {name, elements: 0, texts: 0, hacked: 0};
    for (const hash of ['findings', 'services', 'saga', 'saga/' + encoded + '/1', 'event', 'event/' + encoded + '/2', 'matrix',
                        'participant', 'participant/' + encoded, 'rule/' + encoded, 'search/' + encoded]) {
      await go('#/' + hash);
      await press('/');
      await type('onerror');
      seen.elements += page().querySelectorAll('main img, main script, #hits img, #hits script').length;
      seen.texts += page().body.textContent.includes(name) ? 1 : 0;
      seen.hacked += frame.hacked === undefined ? 0 : 1;
      await press('Escape');
      page().activeElement.blur();
    }
    return seen;
  )");
  EXPECT_EQ(answer["name"], hostile);
  EXPECT_EQ(answer["elements"], 0);
  EXPECT_EQ(answer["hacked"], 0);
  EXPECT_EQ(answer["texts"], 11);
}

TEST(Report, RunsNothingThatItDoesNotBring) {
  const auto look = look_at(report_of("contracts/shop"), R"(
    const script = page().createElement('script');
    script.textContent = 'hacked = 1';
    page().body.append(script);
    const image = page().createElement('img');
    image.src = '/outside.png';
    page().body.append(image);
    await settle();
    return {hacked: frame.hacked === undefined ? 'no' : 'yes'};
  )");
  EXPECT_EQ(look.answer["hacked"], "no");
  EXPECT_THAT(look.requests, IsEmpty());
  EXPECT_THAT(look.console, HasSubstr("Content Security Policy"));
}

TEST(Report, IsTheSameBytesForTheSameContracts) { EXPECT_EQ(report_of("contracts/shop"), report_of("contracts/shop")); }

}  // namespace
}  // namespace quadrille
