// The console in a real browser, over a shop that runs.
#include "browser.hpp"
#include "console_system.hpp"
#include "embedded/probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadrille {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* hostile =
    "<img src=x onerror=\"window.hacked=1\"></script><script>window.hacked=1</script>]]>'{{x}}";

class Console : public ::testing::Test {
 protected:
  void open(const std::string& hash = "") {
    browser_.open(system_.url() + hash);
    browser_.await("document.getElementById('main').dataset.ready === 'yes'");
  }
  void go(const std::string& hash) {
    browser_.evaluate("location.hash = " + nlohmann::json(hash).dump());
    browser_.await("document.getElementById('main').dataset.ready === 'yes'");
  }
  std::string main_text() { return browser_.evaluate("document.getElementById('main').innerText"); }
  std::string first_saga(const std::string& state) const {
    return system_.get("/api/sagas?limit=1&state=" + state)["sagas"][0]["saga_id"];
  }
  /// Nothing was complained of, and nobody else was asked for anything.
  void expect_clean() {
    EXPECT_THAT(browser_.complaints(), IsEmpty());
    auto origins = browser_.origins();
    origins.erase("about");
    const auto own = system_.url();
    EXPECT_THAT(origins, ElementsAre(own.substr(0, own.size() - 1)));
  }

  ConsoleSystem system_;
  Browser browser_;
};

TEST_F(Console, ShowsWhatIsThereInEveryView) {
  system_.start_tracker();
  system_.break_the_card_network("the card network is away");
  system_.place(3);
  ASSERT_TRUE(system_.await_sagas("STUCK", 3));
  open();
  browser_.await("document.querySelector('#alarm').innerText.includes('3 sagas are STUCK')");
  EXPECT_THAT(main_text(), HasSubstr("checkout"));
  EXPECT_EQ(browser_.evaluate("document.querySelector('main a[href*=\"class=technical\"]').textContent"), "technical");
  EXPECT_THAT(browser_.evaluate("document.title").get<std::string>(), HasSubstr("Overview"));

  go("#/flow/checkout");
  browser_.await("document.querySelector('svg.drawing [data-node=\"payment.Authorize\"]')");
  EXPECT_THAT(main_text(), HasSubstr("payment.Authorize"));
  EXPECT_THAT(browser_.evaluate("document.querySelector('[data-node=\"payment.Authorize\"]').textContent"),
              HasSubstr("3 waiting for"));
  browser_.evaluate(
      "document.querySelector('[data-node=\"payment.Authorize\"]').dispatchEvent("
      "new MouseEvent('click', {bubbles: true}))");
  browser_.await("document.getElementById('main').dataset.view === 'sagas'");
  browser_.await("document.querySelectorAll('.body .row').length === 3");
  browser_.await("document.querySelector('.found').textContent === '3 sagas'");
  EXPECT_THAT(main_text(), HasSubstr("the card network is away"));
  browser_.evaluate("history.back()");
  browser_.await("document.getElementById('main').dataset.view === 'flow'");

  const auto id = first_saga("STUCK");
  go("#/saga/" + id);
  browser_.await("document.querySelector('svg.sequence')");
  for (const auto* part : {"STUCK", "technical", "payment.Authorize", "the card network is away", "3, parked",
                           "Compensation ledger", "order.Reject", "What may be done"})
    EXPECT_THAT(main_text(), HasSubstr(part));
  browser_.evaluate("document.querySelector('.sequence .event').onclick(new MouseEvent('click'))");
  browser_.await("document.querySelector('main pre.json').innerText.includes('customer_id')");

  go("#/findings");
  browser_.await("document.getElementById('main').innerText.includes('QDR142')");
  system_.mend_the_card_network();
  expect_clean();
}

TEST_F(Console, KeepsHostileTextAsText) {
  system_.start_tracker();
  system_.break_the_card_network(hostile);
  system_.place(1, hostile);
  ASSERT_TRUE(system_.await_sagas("STUCK", 1));
  open();
  const auto id = first_saga("STUCK");
  for (const auto* hash : {"#/sagas", "#/saga/", "#/flow", "#/overview", "#/findings"}) {
    go(std::string(hash) + (std::string(hash).ends_with("saga/") ? id : ""));
    browser_.await("document.querySelector('main h1')");
    if (std::string(hash) == "#/saga/") browser_.await("document.querySelector('svg.sequence')");
    if (std::string(hash) == "#/sagas") browser_.await("document.querySelector('.body .row')");
    EXPECT_EQ(browser_.evaluate("document.querySelectorAll('main img, main script, main iframe').length"), 0) << hash;
    EXPECT_EQ(browser_.evaluate("window.hacked === undefined"), true) << hash;
  }
  go("#/sagas?error=" + std::string("%3Cimg"));
  browser_.await("document.querySelectorAll('.body .row').length === 1");
  EXPECT_THAT(main_text(), HasSubstr(hostile));
  go("#/saga/" + id);
  browser_.await("document.querySelector('svg.sequence')");
  EXPECT_THAT(main_text(), HasSubstr(hostile));
  go("#/saga/" + std::string("%3Cimg src=x onerror=window.hacked=1%3E"));
  browser_.await("document.getElementById('main').innerText.includes('No event of this saga')");
  EXPECT_EQ(browser_.evaluate("window.hacked === undefined"), true);
  std::vector<std::string> complaints = browser_.complaints();
  std::erase_if(complaints, [](const auto& one) { return one.find("404") != std::string::npos; });
  EXPECT_THAT(complaints, IsEmpty()) << "but for the saga that is not there";
}

TEST_F(Console, IsUsedByTheKeyboard) {
  system_.start_tracker();
  system_.place(5);
  ASSERT_TRUE(embedded::await([&] { return system_.get("/api/count")["count"] == 5; }, std::chrono::seconds(30)));
  open();
  browser_.press("Tab");
  EXPECT_EQ(browser_.evaluate("document.activeElement.className"), "skip");
  browser_.press("Enter");
  browser_.await("document.activeElement.id === 'main'");
  go("#/flow/checkout");
  browser_.await("document.querySelector('svg.drawing a')");
  EXPECT_EQ(browser_.evaluate("document.querySelectorAll('svg.drawing a[href][aria-label]').length >= 10"), true);
  browser_.evaluate("document.querySelector('svg.drawing a').focus()");
  EXPECT_EQ(browser_.evaluate("document.activeElement.localName"), "a");
  browser_.press("Enter");
  browser_.await("document.getElementById('main').dataset.view === 'sagas'");
  go("#/sagas");
  browser_.await("document.querySelectorAll('.body .row').length === 5");
  browser_.evaluate("document.querySelector('.scroller').focus()");
  browser_.press("ArrowDown");
  browser_.press("ArrowDown");
  browser_.await("document.querySelector('.row[aria-current]')?.ariaRowIndex === '3'");
  const auto chosen = browser_.evaluate("document.querySelector('.row[aria-current]').dataset.key").get<std::string>();
  browser_.press("Enter");
  browser_.await("document.getElementById('main').dataset.view === 'saga'");
  EXPECT_THAT(browser_.evaluate("location.hash").get<std::string>(), HasSubstr(chosen.substr(0, 36)));
  browser_.await("document.querySelector('.sequence .event')");
  browser_.evaluate("document.querySelector('.sequence .event').focus()");
  browser_.press("Enter");
  browser_.await("document.querySelector('.sequence .event').getAttribute('aria-pressed') === 'true'");
  browser_.await("document.querySelector('main pre.json')");
  const auto unnamed = browser_.evaluate(
      "[...document.querySelectorAll('input, select, button, a[href]')].filter((one) => !(one.labels?.length || "
      "one.getAttribute('aria-label') || one.textContent.trim())).length");
  EXPECT_EQ(unnamed, 0);
  expect_clean();
}

TEST_F(Console, GoesOnByItselfAndStaysWhereItIs) {
  system_.start_tracker();
  system_.place(1);
  ASSERT_TRUE(system_.await_sagas("RUNNING", 0));
  open("#/sagas?newest=1");
  browser_.await("document.querySelectorAll('.body .row').length === 1");
  browser_.await("document.getElementById('connection').textContent.includes('live')");
  browser_.evaluate("document.querySelector('.body .row').click()");
  const auto chosen = browser_.evaluate("document.querySelector('.row[aria-current]').dataset.key");
  system_.place(60);
  browser_.await("document.querySelector('.found').textContent.startsWith('61 sagas')");
  browser_.evaluate("document.querySelector('.scroller').scrollTop = 1000");
  browser_.await("document.querySelector('.body .row').ariaRowIndex > 2");
  const auto* first =
      "[...document.querySelectorAll('.body .row')].find((row) => row.getBoundingClientRect().top >= "
      "document.querySelector('.body').parentElement.parentElement.getBoundingClientRect().top + 38)"
      ".dataset.key";
  const auto before = browser_.evaluate(first);
  system_.place(10);
  browser_.await("document.querySelector('.found').textContent.startsWith('71 sagas')");
  EXPECT_EQ(browser_.evaluate(first), before) << "what was first in sight still is, though ten came before it";
  browser_.evaluate("document.querySelector('.scroller').scrollTop = 1e9");
  browser_.await("document.querySelector('.row[aria-current]')");
  EXPECT_EQ(browser_.evaluate("document.querySelector('.row[aria-current]').dataset.key"), chosen);
  expect_clean();

  system_.stop_tracker();
  browser_.await("document.getElementById('alarm').innerText.includes('The tracker does not answer')");
  EXPECT_EQ(browser_.evaluate("document.querySelectorAll('.body .row').length > 0"), true)
      << "what was known is still there";
}

TEST_F(Console, LooksRightEverywhere) {
  system_.start_tracker();
  system_.break_the_card_network("the card network is away");
  system_.place(4);
  ASSERT_TRUE(system_.await_sagas("STUCK", 4));
  system_.mend_the_card_network();
  system_.place(12);
  open();
  const auto id = first_saga("STUCK");
  for (const auto& [width, dark] : {std::pair{1280, false}, {1280, true}, {400, false}, {400, true}}) {
    browser_.resize(width, 900, dark);
    for (const auto& [name, hash] : std::vector<std::pair<std::string, std::string>>{{"overview", "#/overview"},
                                                                                     {"flow", "#/flow/checkout"},
                                                                                     {"sagas", "#/sagas"},
                                                                                     {"saga", "#/saga/" + id},
                                                                                     {"findings", "#/findings"}}) {
      go(hash);
      browser_.await("document.querySelector('main h1')");
      EXPECT_LE(browser_.evaluate("document.documentElement.scrollWidth").get<int>(), width) << name;
      // Where somebody wants to look at them.
      if (const char* folder = std::getenv("QUADRILLE_SCREENSHOTS"))
        browser_.screenshot(std::string(folder) + "/" + name + "-" + std::to_string(width) +
                            (dark ? "-dark" : "-light") + ".png");
    }
  }
  EXPECT_NE(browser_.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)") << "dark";
  expect_clean();
}

}  // namespace
}  // namespace quadrille
