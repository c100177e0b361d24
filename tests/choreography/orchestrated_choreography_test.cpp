// The conducted shop over real servers: the conductor is killed during sagas, and two instances of it race.
#include "dev/system.hpp"
#include "embedded/probe.hpp"
#include "orchestrated/checkout.hpp"
#include "postgres/postgres_store.hpp"
#include "quadrille/error.hpp"
#include "runtime/unit_of_work.hpp"
#include "support/temporary_database.hpp"

#include <gtest/gtest.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

#include <filesystem>
#include <future>
#include <iostream>
#include <map>
#include <random>
#include <thread>

namespace orchestrated {
namespace {

namespace dev = quadrille::dev;
namespace embedded = quadrille::embedded;

constexpr std::size_t sagas = 120;
constexpr int in_stock = 60;

class ConductedShop : public ::testing::Test {
 protected:
  ConductedShop() : system_({.folder = folder_.path(), .services = services()}) {}

  static std::vector<dev::ServiceSpec> services() {
    const auto binaries = std::filesystem::canonical("/proc/self/exe").parent_path();
    std::vector<dev::ServiceSpec> specs;
    for (const auto* name : {"checkout", "till", "shelf", "parcels"})
      specs.push_back({name, binaries / (std::string("orchestrated-") + name), {{"QUADRILLE_LOG_LEVEL", "warn"}}});
    return specs;
  }

  pqxx::result query(const std::string& participant, const std::string& text) const {
    pqxx::connection connection(system_.owner_url(participant));
    pqxx::nontransaction work(connection);
    return work.exec(text);
  }
  std::int64_t number(const std::string& participant, const std::string& text) const {
    return query(participant, text)[0][0].as<std::int64_t>();
  }

  /// Starts sagas, each until it is taken.
  void start_sagas() {
    httplib::Client client("http://" + system_.http("checkout"));
    client.set_read_timeout(5);
    for (std::size_t i = 0; i < sagas; ++i) {
      const auto id = "order-" + std::to_string(i);
      const nlohmann::json body{
          {"order_id", id}, {"customer_id", "ada"}, {"item", "clock"}, {"quantity", 1}, {"amount_cents", "100"}};
      ASSERT_TRUE(embedded::await(
          [&] {
            const auto answer = client.Post("/checkouts", {{"Idempotency-Key", id}}, body.dump(), "application/json");
            return answer && answer->status == 201;
          },
          std::chrono::seconds(30)));
    }
  }

  /// How often each event was recorded, by its short name; and whether any saga has one twice.
  std::map<std::string, std::int64_t> said(const std::string& participant) const {
    std::map<std::string, std::int64_t> counts;
    for (const auto& row :
         query(participant,
               "SELECT split_part(type, '.', 4), count(*), count(DISTINCT saga_id) FROM quadrille.events GROUP BY 1")) {
      const std::string name = row[0].c_str();
      counts[name] = row[1].as<std::int64_t>();
      if (name == "CheckoutMoved") continue;
      EXPECT_EQ(counts[name], row[2].as<std::int64_t>()) << "a saga of " << participant << " has " << name << " twice";
    }
    return counts;
  }

  embedded::TemporaryFolder folder_;
  dev::System system_;
};

TEST_F(ConductedShop, LosesAndDoublesNothingWhenItsConductorIsKilled) {
  constexpr std::uint32_t seed = 20261203;
  std::mt19937 random(seed);
  const auto put = [&](const std::string& who, const std::string& what, int amount) {
    pqxx::connection connection(system_.owner_url(who));
    pqxx::work work(connection);
    work.exec("INSERT INTO quadrille.quantities (resource, total) VALUES (" + work.quote(what) + ", " +
              std::to_string(amount) + ")");
    work.commit();
  };
  put("till", "account/ada", 100 * static_cast<int>(sagas));
  put("shelf", "item/clock", in_stock);
  system_.start_all();
  system_.await_all_ready();
  auto started = std::async(std::launch::async, [this] { start_sagas(); });
  for (int kill = 0; kill < 3; ++kill) {
    std::this_thread::sleep_for(
        std::chrono::milliseconds(50 + random() % 300));  // the moment of death is the test's input
    system_.process("checkout").kill();
    system_.start("checkout");
  }
  started.get();
  const std::string ends =
      "SELECT count(*) FROM quadrille.events WHERE type LIKE '%.CheckoutCompleted' OR type LIKE '%.CheckoutCancelled'";
  ASSERT_TRUE(embedded::await([&] { return number("checkout", ends) == static_cast<std::int64_t>(sagas); },
                              std::chrono::seconds(60)))
      << number("checkout", ends) << " of " << sagas << " have ended";

  auto checkout = said("checkout");
  auto till = said("till");
  EXPECT_EQ(checkout["CheckoutStarted"], static_cast<std::int64_t>(sagas));
  EXPECT_EQ(checkout["CheckoutCompleted"], in_stock);
  EXPECT_EQ(till["PaymentCaptured"], in_stock);
  EXPECT_EQ(till["PaymentVoided"], static_cast<std::int64_t>(sagas) - in_stock);
  EXPECT_EQ(said("shelf")["StockDispatched"], in_stock);
  EXPECT_EQ(said("parcels")["ParcelBooked"], in_stock);
  EXPECT_EQ(number("till", "SELECT held FROM quadrille.quantities"), 0);
  EXPECT_EQ(number("till", "SELECT total FROM quadrille.quantities"), 100 * (static_cast<int>(sagas) - in_stock));
  EXPECT_EQ(number("shelf", "SELECT total + held FROM quadrille.quantities"), 0);
  EXPECT_EQ(number("checkout",
                   "SELECT count(*) FROM quadrille.events e WHERE type LIKE '%.VoidPayment' AND EXISTS (SELECT FROM "
                   "quadrille.events p WHERE p.saga_id = e.saga_id AND p.type LIKE '%.CapturePayment')"),
            0)
      << "something is undone past the pivot";
}

/// Two instances have loaded the saga before either has committed: the expected version lets one of them through.
TEST(TwoInstances, MakeOneTransitionOfOneReply) {
  using namespace quadrille;
  const support::TemporaryDatabase database;
  const auto store = postgres::connect({.url = database.service_url(), .application_name = "twins"});
  checkout::CheckoutService service;
  const runtime::Part part(service);
  const auto now = SystemClock().now();
  checkout::v1::StartCheckout start;
  start.set_order_id("order-1");
  start.set_customer_id("ada");
  std::string saga;
  {
    const auto transaction = store->begin();
    runtime::UnitOfWork unit(part, *transaction, {}, now);
    saga = unit.run(part.step("Start"), start, {"order-1", "", "", 0, ""}).saga_id;
    unit.flush();
    transaction->commit();
  }
  till::v1::AuthorizeOutcome reply;
  reply.mutable_authorized()->set_order_id("order-1");
  const runtime::Cause cause{"order-1", saga, "", 2, ""};
  const auto one = store->begin();
  const auto other = store->begin();
  runtime::UnitOfWork of_one(part, *one, {}, now);
  runtime::UnitOfWork of_other(part, *other, {}, now);
  EXPECT_EQ(of_one.run(part.step("Authorize"), reply, cause).recorded.size(), 2U);
  EXPECT_EQ(of_other.run(part.step("Authorize"), reply, cause).recorded.size(), 2U);
  of_one.flush();
  one->commit();
  EXPECT_THROW(of_other.flush(), VersionConflict);
  const auto again = store->begin();
  runtime::UnitOfWork of_it_again(part, *again, {}, now);
  EXPECT_TRUE(of_it_again.run(part.step("Authorize"), reply, cause).recorded.empty()) << "a second transition";
}

}  // namespace
}  // namespace orchestrated
