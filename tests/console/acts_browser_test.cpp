// What a person does in the console happens where it belongs, and is told afterwards.
#include "browser.hpp"
#include "console_system.hpp"
#include "core/time_text.hpp"
#include "embedded/probe.hpp"
#include "jetstream/jetstream_broker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

namespace quadrille {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class ConsoleActs : public ::testing::Test {
 protected:
  void open(const std::string& hash) {
    browser_.open(system_.url());
    browser_.evaluate("sessionStorage.clear()");
    go(hash);
  }
  void go(const std::string& hash) {
    browser_.evaluate("location.hash = " + nlohmann::json(hash).dump());
    browser_.await("document.getElementById('main').dataset.ready === 'yes'");
  }
  void click(const std::string& within, const std::string& text) {
    const auto find = "[...document.querySelectorAll('" + within + " button')].find((one) => one.textContent === '" +
                      text + "' && !one.disabled)";
    browser_.await(find);
    browser_.evaluate(find + ".click()");
  }
  void fill(const std::string& name, const std::string& text) {
    const auto field = "document.querySelector('dialog [name=" + name + "]')";
    browser_.await(field);
    browser_.evaluate(field + ".select()");
    browser_.type(text);
  }
  /// Answers the dialog of an act; the token is asked for once.
  void decide(const std::string& why, const std::string& button) {
    if (browser_.evaluate("!!document.querySelector('dialog.token')") == true) {
      fill("token", ConsoleSystem::token);
      click("dialog", "Use it");
    }
    fill("who", "ada");
    fill("why", why);
    click("dialog.act", button);
    // Another one may follow at once.
    browser_.await("document.querySelector('dialog.act button.first')?.textContent !== '" + button + "'");
  }
  std::string saga_of(const std::string& key) const {
    return system_.get("/api/sagas?limit=1&key=" + key)["sagas"][0]["saga_id"];
  }
  bool await_state(const std::string& saga_id, const std::string& state) const {
    return embedded::await([&] { return system_.get("/api/sagas/" + saga_id)["parts"][0]["state"] == state; },
                           std::chrono::seconds(40));
  }
  std::string main_text() { return browser_.evaluate("document.getElementById('main').innerText"); }
  httplib::Result post(const nlohmann::json& body) const {
    return httplib::Client("127.0.0.1", system_.port())
        .Post("/api/acts", {{"Authorization", std::string("Bearer ") + ConsoleSystem::token}}, body.dump(),
              "application/json");
  }

  ConsoleSystem system_;
  Browser browser_;
};

TEST_F(ConsoleActs, RetriesDiscardsAndEditsWhatIsParked) {
  system_.start_tracker();
  system_.break_the_card_network("the card network is <b>away</b>");
  system_.place(4);
  ASSERT_TRUE(system_.await_sagas("STUCK", 4));
  open("#/parked");
  browser_.await("document.querySelectorAll('main article').length === 4");
  for (const auto* part : {"OrderPlaced", "payment", "technical", "the card network is <b>away</b>", "3 tries"})
    EXPECT_THAT(main_text(), HasSubstr(part));
  browser_.evaluate("document.querySelector('main article summary').click()");
  browser_.await("document.querySelector('main article pre.json')?.innerText.includes('ada')");

  // One, by its saga. A wrong token does nothing; the right one is asked for.
  system_.mend_the_card_network();
  const auto first = saga_of("o-0");
  go("#/saga/" + first);
  click("main", "Retry");
  browser_.await("document.querySelector('dialog.token')");
  fill("token", "not-the-token-at-all");
  click("dialog", "Use it");
  fill("who", "ada");
  fill("why", "short");
  click("dialog.act", "Retry");
  browser_.await("document.querySelector('dialog.token')");
  fill("token", ConsoleSystem::token);
  click("dialog", "Use it");
  browser_.await("!document.querySelector('dialog.act')");
  browser_.await("document.getElementById('main').innerText.includes('Acts taken')");
  EXPECT_THAT(main_text(), HasSubstr("ada"));
  EXPECT_THAT(main_text(), HasSubstr("short"));
  EXPECT_TRUE(await_state(first, "COMPLETED"));

  // One with another payload: the order is paid as it was corrected.
  go("#/parked");
  browser_.await("document.querySelectorAll('main article').length === 3");
  const auto edited = system_.get("/api/parked")["messages"][0];
  click("main article", "Retry edited");
  browser_.await("document.querySelector('dialog textarea')?.value.includes('2500')");
  browser_.evaluate(
      "document.querySelector('dialog textarea').value = "
      "document.querySelector('dialog textarea').value.replace('2500', '2600')");
  decide("the amount was wrong", "Retry with this payload");
  EXPECT_TRUE(await_state(edited["saga_id"], "COMPLETED"));
  EXPECT_THAT(system_.get("/api/sagas/" + edited["saga_id"].get<std::string>())["timeline"].dump(), HasSubstr("2600"));

  // One is discarded.
  browser_.await("document.querySelectorAll('main article').length === 2");
  const auto dropped = system_.get("/api/parked")["messages"][0];
  click("main article", "Discard");
  decide("a test order of the network team", "Discard");
  browser_.await("document.querySelectorAll('main article').length === 1");
  EXPECT_TRUE(embedded::await(
      [&] {
        return system_.get("/api/sagas/" + dropped["saga_id"].get<std::string>())["parts"][0]["acts"].size() == 1;
      },
      std::chrono::seconds(20)));

  // All of a cause: counted first.
  click("main", "Retry all of technical");
  decide("counting them", "Count them");
  browser_.await("document.querySelector('dialog.act button.first')?.textContent === 'Retry 1 message'");
  EXPECT_EQ(system_.get("/api/parked")["messages"].size(), 1) << "counting does nothing";
  decide("the network is back", "Retry 1 message");
  browser_.await("document.getElementById('main').innerText.includes('Nothing is parked')");
  EXPECT_TRUE(system_.await_sagas("COMPLETED", 3));
  auto complaints = browser_.complaints();
  std::erase_if(complaints, [](const auto& one) { return one.find("401") != std::string::npos; });
  EXPECT_THAT(complaints, IsEmpty()) << "but for the wrong token";
  EXPECT_EQ(browser_.evaluate("document.cookie + location.href").get<std::string>().find(ConsoleSystem::token),
            std::string::npos);
}

TEST_F(ConsoleActs, RefusesWhatMakesNoSense) {
  system_.start_tracker();
  system_.place(1);
  ASSERT_TRUE(system_.await_sagas("COMPLETED", 1));
  const auto id = saga_of("o-0");
  const auto status = [&](nlohmann::json body) {
    body.emplace("who", "ada");
    body.emplace("why", "only a test");
    const auto answer = post(body);
    return std::to_string(answer->status) + " " + answer->body;
  };
  EXPECT_THAT(status({{"act", "cancel"}, {"saga_id", id}}),
              testing::AllOf(HasSubstr("409"), HasSubstr("the saga is over")));
  EXPECT_THAT(status({{"act", "resolve"}, {"saga_id", id}, {"outcome", "CANCELLED"}}),
              HasSubstr("it is COMPLETED, not STUCK"));
  EXPECT_THAT(status({{"act", "retry"}, {"participant", "payment"}, {"message_id", "nobody"}}), HasSubstr("404"));
  EXPECT_THAT(status({{"act", "cancel"}, {"saga_id", "nobody"}}), HasSubstr("404"));
  EXPECT_THAT(status({{"act", "dance"}}), HasSubstr("'dance' is not"));
  EXPECT_THAT(status({{"act", "cancel"}, {"saga_id", id}, {"why", "x"}}), HasSubstr("at least 5 letters"));
  EXPECT_THAT(status({{"act", "cancel"}, {"saga_id", id}, {"why", "........."}}), HasSubstr("at least 5 letters"));
  EXPECT_THAT(status({{"act", "cancel"}, {"saga_id", id}, {"who", ""}}), HasSubstr("who is missing"));
  EXPECT_THAT(status({{"act", "retry_all"}, {"participant", "payment"}, {"class", "cosmic"}}),
              HasSubstr("'cosmic' is not"));
  EXPECT_THAT(status({{"act", "retry_all"}, {"participant", "payment"}, {"class", "technical"}, {"dryrun", true}}),
              testing::AllOf(HasSubstr("400"), HasSubstr("dryrun is not known of the act retry_all")));
  EXPECT_THAT(status({{"act", "retry_all"}, {"participant", "payment"}, {"class", "technical"}, {"dry_run", "yes"}}),
              HasSubstr("dry_run has to be true or false"));
  for (const auto& part : std::vector<nlohmann::json>{"0", -1, 1.5, 1e300})
    EXPECT_THAT(status({{"act", "cancel"}, {"saga_id", id}, {"part", part}}),
                testing::AllOf(HasSubstr("400"), HasSubstr("part has to be a whole number")))
        << part;
  EXPECT_THAT(status({{"act", "cancel"}, {"saga_id", id}, {"part", 4294967296U}}), HasSubstr("no such part"));
  EXPECT_THAT(status({{"act", "rebuild"}, {"from", 1'000'000}}), HasSubstr("so far the stream has been read"));
  for (const auto* nobody : {"*", ">", "payment.x", "payment\r\nPUB x", "nobody"})
    EXPECT_THAT(status({{"act", "retry"}, {"participant", nobody}, {"message_id", "m"}}),
                testing::AllOf(HasSubstr("404"), HasSubstr("known: ")))
        << nobody;
  EXPECT_THAT(status({{"act", "cancel"}, {"saga_id", std::string("a\0b", 3)}}), HasSubstr("saga_id has to be UTF-8"));
  httplib::Client client("127.0.0.1", system_.port());
  const httplib::Headers right{{"Authorization", std::string("Bearer ") + ConsoleSystem::token}};
  EXPECT_EQ(client.Post("/api/acts", right, "act=rebuild", "application/x-www-form-urlencoded")->status, 400);
  EXPECT_EQ(client.Post("/api/acts", right, R"({"act": "rebuild"})", "text/plain")->status, 415);
  EXPECT_EQ(client.Post("/api/acts?dry_run=1", right, R"({"act": "rebuild"})", "application/json")->status, 400);
  EXPECT_EQ(client.Post("/api/acts", R"({"act": "rebuild"})", "application/json")->status, 401);
  for (const auto* nobody : {"*", ">", "nobody", ""})
    EXPECT_THAT(client.Get(std::string("/api/parked/m?participant=") + nobody)->body, HasSubstr("known: "));
  const auto huge = client.Post("/api/acts", right, std::string(2 << 20, 'x'), "application/json");
  ASSERT_TRUE(huge);
  EXPECT_THAT(std::to_string(huge->status) + huge->body, testing::AllOf(HasSubstr("413"), HasSubstr("1048576 bytes")));
}

TEST_F(ConsoleActs, AsksThePivotsOwnerToCancel) {
  system_.start_tracker();
  // Nobody reserves: the saga waits before its pivot.
  system_.system().process("inventory").stop();
  system_.place(1);
  ASSERT_TRUE(embedded::await([&] { return system_.get("/api/count?step=inventory.Reserve")["count"] == 1; },
                              std::chrono::seconds(40)));
  const auto id = saga_of("o-0");
  open("#/participants");
  browser_.await("document.getElementById('main').innerText.includes('SILENT')");
  EXPECT_THAT(main_text(), HasSubstr("no instance of it answers"));
  EXPECT_THAT(main_text(), HasSubstr("✔ ready"));
  go("#/saga/" + id);
  click("main", "Ask to cancel");
  browser_.await("document.querySelector('dialog.token')");
  decide("the customer has called", "Ask to cancel");
  browser_.await("document.getElementById('main').innerText.includes('the customer has called')");
  system_.system().start("inventory");
  system_.system().await_ready("inventory");
  EXPECT_TRUE(embedded::await(
      [&] {
        const auto state = system_.get("/api/sagas/" + id)["parts"][0]["state"];
        return state == "COMPLETED" || state == "CANCELLED";
      },
      std::chrono::seconds(60)))
      << "the owner of the pivot decides which";
  EXPECT_THAT(system_.get("/api/sagas/" + id)["timeline"].dump(), HasSubstr("TimedOut"));
}

/// An order of the day before yesterday, which nobody has answered.
Message forgotten_order() {
  const auto then = to_rfc3339(SystemClock().now() - std::chrono::hours(48));
  return {"evt.3.order.order.OrderPlaced",
          {{"Nats-Msg-Id", "forgotten-1"},
           {"ce-id", "forgotten-1"},
           {"ce-type", "shop.order.v1.OrderPlaced"},
           {"ce-source", "order"},
           {"ce-stream", "order-forgotten"},
           {"ce-subject", "forgotten"},
           {"ce-version", "1"},
           {"ce-hops", "1"},
           {"ce-sagaid", "saga-forgotten"},
           {"ce-time", then}},
          ""};
}

TEST_F(ConsoleActs, RecordsHowASagaEndedOutside) {
  system_.start_tracker();
  system_.system().process("payment").stop();
  const auto forgotten = forgotten_order();
  const auto broker = jetstream::connect({.url = system_.system().nats().url(), .client_name = "stranger"});
  ASSERT_EQ(broker->publish(std::span(&forgotten, 1)).front(), Published::stored);
  ASSERT_TRUE(system_.await_sagas("STUCK", 1)) << "past its deadline";
  open("#/saga/saga-forgotten");
  click("main", "Resolve");
  browser_.await("document.querySelector('dialog.token')");
  fill("token", ConsoleSystem::token);
  click("dialog", "Use it");
  browser_.await("document.querySelector('dialog.act [name=outcome]')");
  browser_.evaluate("document.querySelector('dialog.act [name=outcome]').value = 'CANCELLED'");
  decide("paid back in cash", "Resolve");
  ASSERT_TRUE(await_state("saga-forgotten", "CANCELLED"));
  browser_.await("document.getElementById('main').innerText.includes('resolved by a person')");
  EXPECT_THAT(main_text(), HasSubstr("paid back in cash"));

  nlohmann::json rebuild{{"act", "rebuild"}, {"who", "ada"}, {"why", "after a restore"}};
  EXPECT_EQ(post(rebuild)->status, 202);
  EXPECT_TRUE(embedded::await([&] { return system_.get("/api/overview")["tracker"]["generation"] == 2; },
                              std::chrono::seconds(60)));
  EXPECT_TRUE(await_state("saga-forgotten", "CANCELLED")) << "acts are events too";
}

}  // namespace
}  // namespace quadrille
