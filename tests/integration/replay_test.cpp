// Export, archive, republish and follow with the real servers, by the tool itself.
#include "core/envelope.hpp"
#include "core/time_text.hpp"
#include "deploy/registry.hpp"
#include "embedded/nats_server.hpp"
#include "embedded/probe.hpp"
#include "inventory/inventory_service.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "jetstream/stream_follower.hpp"
#include "order/order_service.hpp"
#include "postgres/postgres_store.hpp"
#include "runtime/registrar.hpp"
#include "shipping/shipping_service.hpp"
#include "support/temporary_database.hpp"
#include "traffic/ndjson.hpp"
#include "walkthrough/double_void.hpp"
#include "walkthrough/recorded_shop.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream input(file);
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A shop's traffic in the stream of a NATS server with a registry, and payment's in an event store.
class Recorded {
 public:
  static constexpr int orders = 50;

  Recorded() {
    shop_ = shop::record_shop(payment_, orders);
    broker_->ensure({});
    publish(*broker_, shop_.events);
    for (Participant* participant : std::initializer_list<Participant*>{&order_, &payment_, &inventory_, &shipping_}) {
      parts_.push_back(std::make_unique<runtime::Part>(*participant));
      registrars_.push_back(std::make_unique<runtime::Registrar>(*parts_.back(), *broker_, log_, "test"));
    }
    const auto registered = [&] { return deploy::read_registry({.url = nats_.url(), .client_name = "looker"}).size(); };
    EXPECT_TRUE(embedded::await([&] { return registered() == parts_.size(); }, std::chrono::seconds(20)));
    const auto store = postgres::connect({.url = database_.service_url(), .application_name = "test"});
    const auto transaction = store->begin();
    std::vector<Event> own;
    std::ranges::copy_if(shop_.events, std::back_inserter(own),
                         [](const Event& event) { return event.source == "payment"; });
    transaction->events().append(own);
    transaction->commit();
  }

  static void publish(Broker& broker, const std::vector<Event>& events) {
    std::vector<Message> messages;
    for (const auto& event : events) messages.push_back(to_message(event));
    for (const auto& message : messages) ASSERT_EQ(broker.publish(std::span(&message, 1)).front(), Published::stored);
  }

  [[nodiscard]] const shop::RecordedShop& shop() const { return shop_; }
  [[nodiscard]] std::string nats() const { return nats_.url(); }
  [[nodiscard]] std::string database() const { return database_.service_url(); }

 private:
  embedded::TemporaryFolder folder_;
  embedded::NatsServer nats_{{.folder = folder_.path()}};
  support::TemporaryDatabase database_;
  shop::RecordedShop shop_;
  shop::order::OrderService order_;
  shop::payment::DoubleVoidService payment_;
  shop::inventory::InventoryService inventory_;
  shop::shipping::ShippingService shipping_;
  const telemetry::Log log_{"test", telemetry::Level::error, telemetry::Format::text};
  std::unique_ptr<Broker> broker_ = jetstream::connect({.url = nats_.url(), .client_name = "recorder"});
  std::vector<std::unique_ptr<runtime::Part>> parts_;
  std::vector<std::unique_ptr<runtime::Registrar>> registrars_;
};

class Replay : public ::testing::Test {
 protected:
  void exports_a_saga_from_nats_by_the_registry_and_runs_it();
  void exports_from_an_event_store_what_its_participant_recorded();
  void what_if_over_a_stream_and_over_a_time_window();
  void an_archive_of_a_stream_is_what_the_stream_was();
  void republishes_into_a_scratch_prefix_and_never_into_live_subjects_unasked();
  void republishes_to_another_servers_live_subjects_when_its_address_is_typed();
  void follows_a_saga_until_it_ends();

  struct Answer {
    int exit_code = -1;
    std::string text;
  };
  Answer run(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), "quadrille");
    std::string script = input.empty() ? "" : "printf '%s\\n' '" + input + "' | ";
    script += "\"$BIN\"/\"$@\" 2>&1";
    std::vector<std::string> command{"sh", "-c", script, "sh"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto output = folder_.path() / "output";
    fs::remove(output);
    embedded::ChildProcess child({command, {{"BIN", bin_.string()}}, output, {}, folder_.path()});
    const auto exit_code = child.wait(std::chrono::minutes(1));
    return {exit_code.value_or(-1), text_of(output)};
  }
  [[nodiscard]] std::string payment() const { return "payment=" + (bin_ / "shop-payment-double-void").string(); }
  [[nodiscard]] const std::string& saga(int order) const {
    return recorded_->shop().sagas[static_cast<std::size_t>(order)];
  }
  [[nodiscard]] std::size_t events() const { return recorded_->shop().events.size(); }

  const std::unique_ptr<Recorded> recorded_ = std::make_unique<Recorded>();
  embedded::TemporaryFolder folder_;
  fs::path bin_ = fs::canonical("/proc/self/exe").parent_path();
};

void Replay::exports_a_saga_from_nats_by_the_registry_and_runs_it() {
  const auto exported = run({"case", "export", "--saga", saga(3), "--nats-url", recorded_->nats(), "-o", "a.case"});
  EXPECT_EQ(exported.exit_code, 0) << exported.text;
  EXPECT_TRUE(has(exported.text, "personal data redacted")) << exported.text;
  const auto ran = run({"case", "run", "a.case", "--participant", payment()});
  EXPECT_EQ(ran.exit_code, 0) << ran.text;
  EXPECT_TRUE(has(ran.text, "2 same")) << ran.text;
  const auto program = [&](const std::string& name) { return name + "=" + (bin_ / ("shop-" + name)).string(); };
  const auto varied =
      run({"case", "vary", "a.case", "--participant", program("payment"), "--participant", program("order"),
           "--participant", program("inventory"), "--timeout", "order.GiveUp=3s", "--drop", "PaymentAuthorized"});
  EXPECT_EQ(varied.exit_code, 0) << varied.text;
  EXPECT_TRUE(has(varied.text, "varied      CANCELLED by OrderRejected, after 3")) << varied.text;
  EXPECT_TRUE(has(varied.text, "not run     shipping")) << varied.text;
  const auto unknown = run({"case", "export", "--saga", "nobody", "--nats-url", recorded_->nats()});
  EXPECT_EQ(unknown.exit_code, 1) << unknown.text;
}

void Replay::exports_from_an_event_store_what_its_participant_recorded() {
  const auto exported = run({"case", "export", "--saga", saga(3), "--database-url", recorded_->database(),
                             "--contracts", QUADRILLE_SOURCE_DIR "/contracts/shop", "-o", "a.case"});
  EXPECT_EQ(exported.exit_code, 0) << exported.text;
  EXPECT_TRUE(has(exported.text, "a.case: 2 events")) << exported.text;
  const auto shown = run({"case", "show", "a.case"});
  EXPECT_TRUE(has(shown.text, "PaymentCaptured payment-o-3@2")) << shown.text;
}

void Replay::what_if_over_a_stream_and_over_a_time_window() {
  const auto all = run({"case", "what-if", "--nats-url", recorded_->nats(), "--participant",
                        "payment=" + (bin_ / "shop-payment").string(), "--show", "0"});
  EXPECT_EQ(all.exit_code, 1) << all.text;
  EXPECT_TRUE(has(all.text, "50 sagas: 49 the same, 1 not")) << all.text;
  const auto& events = recorded_->shop().events;
  const auto began = std::ranges::find(events, saga(10), &Event::saga_id)->recorded_at;
  const auto ended = std::ranges::find(events, saga(20), &Event::saga_id)->recorded_at;
  const auto some = run({"case", "what-if", "--nats-url", recorded_->nats(), "--from", to_rfc3339(began), "--to",
                         to_rfc3339(ended), "--participant", payment()});
  EXPECT_EQ(some.exit_code, 0) << some.text;
  EXPECT_TRUE(has(some.text, "10 sagas: 10 the same")) << some.text;
}

void Replay::an_archive_of_a_stream_is_what_the_stream_was() {
  ASSERT_EQ(run({"archive", "create", "all.qarc", "--nats-url", recorded_->nats()}).exit_code, 0);
  const auto shown = run({"archive", "show", "all.qarc", "--format", "json"});
  const auto json = nlohmann::json::parse(shown.text);
  EXPECT_EQ(json["events"], events());
  EXPECT_EQ(json["sagas"], Recorded::orders);
  EXPECT_EQ(run({"archive", "verify", "all.qarc"}).exit_code, 0);
  EXPECT_NE(run({"archive", "create", "all.qarc", "--nats-url", recorded_->nats()}).exit_code, 0) << "overwritten";

  std::istringstream lines(run({"archive", "read", "all.qarc"}).text);
  std::vector<Event> read;
  traffic::read_ndjson(lines, "read", [&](const Event& event) { read.push_back(event); });
  EXPECT_EQ(read, recorded_->shop().events);

  // It brings its contracts along, so a case comes from it alone.
  const auto exported = run({"case", "export", "--saga", saga(0), "--archive", "all.qarc", "-o", "a.case"});
  EXPECT_EQ(exported.exit_code, 0) << exported.text;
  EXPECT_EQ(run({"case", "run", "a.case", "--participant", payment()}).exit_code, 0);
  const auto told = run({"replay", "--saga", saga(0), "--archive", "all.qarc"});
  EXPECT_TRUE(has(told.text, "PaymentVoided")) << told.text;
  EXPECT_EQ(told.text, run({"replay", "--saga", saga(0), "--nats-url", recorded_->nats()}).text);
  const auto what_if = run({"case", "what-if", "--archive", "all.qarc", "--participant", payment()});
  EXPECT_TRUE(has(what_if.text, "50 sagas: 50 the same")) << what_if.text;

  const auto part = run({"archive", "create", "part.qarc", "--database-url", recorded_->database()});
  EXPECT_EQ(part.exit_code, 0) << part.text;

  // Cut in the middle: it says at which byte, and the rest is saved.
  fs::copy_file(folder_.path() / "all.qarc", folder_.path() / "cut.qarc");
  fs::resize_file(folder_.path() / "cut.qarc", fs::file_size(folder_.path() / "all.qarc") * 3 / 4);
  const auto cut = run({"replay", "--saga", saga(0), "--archive", "cut.qarc"});
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_TRUE(has(cut.text, "at byte " + std::to_string(fs::file_size(folder_.path() / "cut.qarc")))) << cut.text;
  const auto saved = run({"archive", "verify", "cut.qarc", "--salvage", "saved.qarc"});
  EXPECT_EQ(saved.exit_code, 1) << saved.text;
  EXPECT_EQ(run({"archive", "verify", "saved.qarc"}).exit_code, 0);
}

void Replay::republishes_into_a_scratch_prefix_and_never_into_live_subjects_unasked() {
  const auto once = run({"republish", "--nats-url", recorded_->nats(), "--target", recorded_->nats(), "--prefix",
                         "friday", "--pace", "max", "--format", "json"});
  ASSERT_EQ(once.exit_code, 0) << once.text;
  EXPECT_EQ(nlohmann::json::parse(once.text)["published"], events());
  std::vector<Event> heard;
  jetstream::read_stream({.url = recorded_->nats(), .client_name = "test"}, "SCRATCH_friday", "friday.>",
                         [&](const Delivery& delivery) { heard.push_back(to_event(delivery.message)); });
  ASSERT_EQ(heard.size(), events());
  EXPECT_TRUE(heard.front().subject.starts_with("friday.evt."));
  std::map<StreamName, std::uint64_t> newest;
  for (const auto& event : heard) EXPECT_EQ(event.version, ++newest[event.stream]);

  const auto again = run({"republish", "--nats-url", recorded_->nats(), "--target", recorded_->nats(), "--prefix",
                          "friday", "--pace", "max"});
  EXPECT_TRUE(has(again.text, std::to_string(events()) + " of them were there already")) << again.text;
  const auto renewed = run({"republish", "--nats-url", recorded_->nats(), "--target", recorded_->nats(), "--prefix",
                            "friday", "--pace", "max", "--ids", "renew"});
  EXPECT_FALSE(has(renewed.text, "there already")) << renewed.text;

  for (const auto* wrong : {"evt", "evt.copy", "a b", "$JS", ""})
    EXPECT_EQ(
        run({"republish", "--nats-url", recorded_->nats(), "--target", recorded_->nats(), "--prefix", wrong}).exit_code,
        2)
        << wrong;
  EXPECT_EQ(run({"republish", "--nats-url", recorded_->nats(), "--target", recorded_->nats()}).exit_code, 2);
  const auto refused =
      run({"republish", "--nats-url", recorded_->nats(), "--target", recorded_->nats(), "--live"}, "yes");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(has(refused.text, "not confirmed, nothing was published")) << refused.text;
}

void Replay::republishes_to_another_servers_live_subjects_when_its_address_is_typed() {
  embedded::TemporaryFolder folder;
  const embedded::NatsServer other({.folder = folder.path()});
  const auto republish = [&] {
    return run({"republish", "--nats-url", recorded_->nats(), "--target", other.url(), "--live", "--pace", "x1000"},
               other.url());
  };
  const auto nobody = republish();
  EXPECT_EQ(nobody.exit_code, 2) << "there is no stream: " << nobody.text;
  jetstream::connect({.url = other.url(), .client_name = "test"})->ensure({});
  const auto done = republish();
  EXPECT_EQ(done.exit_code, 0) << done.text;
  std::size_t heard = 0;
  jetstream::read_stream({.url = other.url(), .client_name = "test"}, "EVT", "evt.>",
                         [&](const Delivery&) { ++heard; });
  EXPECT_EQ(heard, events());
}

void Replay::follows_a_saga_until_it_ends() {
  // A saga that has not ended: what is still to come is said while it is followed.
  const auto& shop = recorded_->shop();
  std::vector<Event> rest;
  for (auto event : shop.events)
    if (event.saga_id == saga(5)) {
      event.id = "later-" + event.id;
      event.causation_id = event.causation_id.empty() ? "" : "later-" + event.causation_id;
      event.saga_id = "followed";
      rest.push_back(event);
    }
  ASSERT_EQ(rest.back().type, "shop.order.v1.OrderConfirmed");
  const auto broker = jetstream::connect({.url = recorded_->nats(), .client_name = "later"});
  Recorded::publish(*broker, {rest.front()});
  const auto output = folder_.path() / "followed";
  embedded::ChildProcess follower(
      {{(bin_ / "quadrille").string(), "replay", "--saga", "followed", "--follow", "--nats-url", recorded_->nats()},
       {},
       output,
       {},
       folder_.path()});
  ASSERT_TRUE(embedded::await([&] { return has(text_of(output), "OrderPlaced"); }, std::chrono::seconds(20)))
      << text_of(output);
  EXPECT_FALSE(follower.wait(std::chrono::milliseconds(0)));
  Recorded::publish(*broker, {rest.begin() + 1, rest.end()});
  EXPECT_EQ(follower.wait(std::chrono::seconds(20)), 0) << text_of(output);
  const auto text = text_of(output);
  EXPECT_EQ(std::ranges::count(text, '@'), 2 * static_cast<std::ptrdiff_t>(rest.size()) - 1) << text;
  EXPECT_TRUE(has(text, "OrderConfirmed")) << text;
}

/// One test, for the servers take longer to start than all of it.
TEST_F(Replay, TheToolDoesItWithRealServers) {
  {
    SCOPED_TRACE("ExportsASagaFromNatsByTheRegistryAndRunsIt");
    exports_a_saga_from_nats_by_the_registry_and_runs_it();
  }
  {
    SCOPED_TRACE("ExportsFromAnEventStoreWhatItsParticipantRecorded");
    exports_from_an_event_store_what_its_participant_recorded();
  }
  {
    SCOPED_TRACE("WhatIfOverAStreamAndOverATimeWindow");
    what_if_over_a_stream_and_over_a_time_window();
  }
  {
    SCOPED_TRACE("AnArchiveOfAStreamIsWhatTheStreamWas");
    an_archive_of_a_stream_is_what_the_stream_was();
  }
  {
    SCOPED_TRACE("RepublishesIntoAScratchPrefixAndNeverIntoLiveSubjectsUnasked");
    republishes_into_a_scratch_prefix_and_never_into_live_subjects_unasked();
  }
  {
    SCOPED_TRACE("RepublishesToAnotherServersLiveSubjectsWhenItsAddressIsTyped");
    republishes_to_another_servers_live_subjects_when_its_address_is_typed();
  }
  {
    SCOPED_TRACE("FollowsASagaUntilItEnds");
    follows_a_saga_until_it_ends();
  }
}

}  // namespace
}  // namespace quadrille
