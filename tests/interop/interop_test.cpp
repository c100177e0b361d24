// The shop with shipping written in JavaScript: plain clients of NATS and PostgreSQL, CloudEvents headers, an inbox and
// an outbox of its own.
#include "dev/system.hpp"
#include "embedded/probe.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "shop/audit.hpp"
#include "shop/load.hpp"
#include "support/validators.hpp"

#include <gtest/gtest.h>
#include <pqxx/pqxx>

#include <cstdint>
#include <map>
#include <vector>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

fs::path binaries() { return fs::canonical("/proc/self/exe").parent_path(); }
fs::path contracts() { return fs::path(QUADRILLE_SOURCE_DIR) / "contracts"; }

std::vector<dev::ServiceSpec> services() {
  auto specs = dev::shop_services(binaries());
  for (auto& spec : specs)
    if (spec.participant == "shipping")
      spec = {"shipping", node_package("interop") / "shipping.mjs", {{"CONTRACTS", contracts().string()}}, true};
  return specs;
}

class ShippingInJavaScript : public ::testing::Test {
 protected:
  void SetUp() override {
    shop::open_shop(system_, opening_);
    // A participant of another kind makes no consumers: whoever deploys makes those of all.
    embedded::ChildProcess deploy({.arguments = {(binaries() / "quadrille").string(), "deploy",
                                                 (contracts() / "shop").string(), "--nats-url", system_.nats().url()},
                                   .output = folder_.path() / "deploy.log"});
    ASSERT_EQ(deploy.wait(std::chrono::seconds(60)), 0) << embedded::tail(folder_.path() / "deploy.log");
    system_.start_all();
    system_.await_all_ready();
  }
  std::int64_t count(const std::string& what, const std::string& participant = "shipping") {
    pqxx::connection connection(system_.owner_url(participant));
    pqxx::nontransaction work(connection);
    return work.exec("SELECT count(*) FROM " + what)[0][0].as<std::int64_t>();
  }
  bool all_sagas_end(std::chrono::seconds patience) {
    return embedded::await(
        [&] {
          const auto ends = shop::ends(system_);
          return ends.running == 0 && ends.completed + ends.cancelled() == load_.orders().size();
        },
        patience);
  }
  /// What the stream holds of one type, with what names each.
  std::vector<Message> events(const std::string& name) {
    std::vector<Message> found;
    jetstream::read_stream({.url = system_.nats().url(), .client_name = "reader"}, "EVT", "evt.*.*.*." + name,
                           [&](const Delivery& delivery) { found.push_back(delivery.message); });
    return found;
  }
  std::int64_t completed() { return static_cast<std::int64_t>(shop::ends(system_).completed); }

  embedded::TemporaryFolder folder_;
  dev::System system_{dev::System::Options{.folder = folder_.path(), .services = services()}};
  shop::Opening opening_ = shop::usual_opening();
  shop::Load load_{system_, opening_, 7};
};

TEST_F(ShippingInJavaScript, TakesPartInTheSagaAndHasOneEffectOfWhatComesTwice) {
  load_.place(15);
  ASSERT_TRUE(all_sagas_end(std::chrono::seconds(30))) << embedded::tail(system_.log("shipping"));
  ASSERT_GT(completed(), 3);
  EXPECT_EQ(count("shipments"), completed());

  // The same events once more: with their ids, but not with those by which the broker knows a repetition.
  auto again = events("PaymentCaptured");
  for (auto& message : again) message.headers["Nats-Msg-Id"] = "again-" + message.headers.at("ce-id");
  const auto broker = jetstream::connect({.url = system_.nats().url(), .client_name = "repeater"});
  for (const auto answer : broker->publish(again)) ASSERT_EQ(answer, Published::stored);
  const auto repeated = static_cast<std::int64_t>(again.size());
  EXPECT_TRUE(embedded::await([&] { return count("duplicates") == repeated; }, std::chrono::seconds(20)));
  EXPECT_EQ(count("shipments"), completed());
  EXPECT_EQ(count("parked"), 0);

  std::map<std::string, int> booked;
  for (const auto& message : events("ShipmentBooked")) ++booked[message.headers.at("ce-subject")];
  EXPECT_EQ(static_cast<std::int64_t>(booked.size()), completed());
  for (const auto& [order, times] : booked) EXPECT_EQ(times, 1) << order;
  for (const auto* participant : {"order", "payment", "inventory"})
    EXPECT_TRUE(shop::parked(system_, participant).empty()) << participant;
}

TEST_F(ShippingInJavaScript, GoesOnWhereItWasKilled) {
  load_.place(8);
  system_.process("shipping").kill();
  load_.place(4);
  // Its last words, once more, were lost with it: what it had taken in hand comes again when its time is over.
  system_.start("shipping");
  ASSERT_TRUE(all_sagas_end(std::chrono::seconds(60))) << embedded::tail(system_.log("shipping"));
  EXPECT_EQ(count("shipments"), completed());
  EXPECT_EQ(count("outbox"), 0);
  EXPECT_EQ(events("ShipmentBooked").size(), static_cast<std::size_t>(completed()));
}

TEST_F(ShippingInJavaScript, ParksWhatItCannotReadAndGoesOn) {
  const auto broker = jetstream::connect({.url = system_.nats().url(), .client_name = "stranger"});
  const std::vector<Message> garbage{{"evt.3.payment.payment.PaymentCaptured",
                                      {{"ce-id", "odd"}, {"ce-type", "shop.payment.v1.PaymentCaptured"}},
                                      "\xff\xff\xff"}};
  for (const auto answer : broker->publish(garbage)) ASSERT_EQ(answer, Published::stored);
  EXPECT_TRUE(embedded::await([&] { return count("parked") == 1; }, std::chrono::seconds(20)))
      << embedded::tail(system_.log("shipping"));
  load_.place(10);
  EXPECT_TRUE(all_sagas_end(std::chrono::seconds(30))) << "the lane goes on";
}

}  // namespace
}  // namespace quadrille
