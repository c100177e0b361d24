// The configuration of compose/ on real servers: three nats-servers and a PostgreSQL with exactly its files, its
// prepare step, and the shop with the settings of its secrets.
#include "compose_tree.hpp"
#include "core/uuid.hpp"
#include "embedded/postgres_server.hpp"
#include "embedded/probe.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "quadrille/error.hpp"

#include <gtest/gtest.h>
#include <httplib.h>
#include <pqxx/pqxx>

#include <list>
#include <optional>
#include <set>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

std::string loopback(int port) { return "127.0.0.1:" + std::to_string(port); }

std::vector<int> free_ports(std::size_t count) {
  std::set<int> ports;
  while (ports.size() < count) ports.insert(embedded::free_port());
  return {ports.begin(), ports.end()};
}

class ComposeServers : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto ports = free_ports(10);
    for (int i = 0; i < 3; ++i) nodes_.push_back({ports[3 * i], ports[3 * i + 1], ports[3 * i + 2]});
    postgres_port_ = ports[9];
    std::string clients;
    std::string routes;
    for (const auto& node : nodes_) {
      clients += loopback(node.client) + " ";
      routes += loopback(node.route) + " ";
    }
    const auto made = run({compose("secrets/make").string(), "--folder", secrets().string(), "--nats", clients,
                           "--routes", routes, "--postgres", loopback(postgres_port_)});
    ASSERT_EQ(made.exit_code, 0) << made.output;
    start_nats();
    start_postgres();
  }

  fs::path secrets() const { return folder_.path() / "secrets"; }
  std::string secret(const std::string& name) const { return content(secrets() / name); }

  /// The files beside each other as compose.yaml mounts them.
  void start_nats() {
    const auto etc = folder_.path() / "etc-nats";
    fs::create_directories(etc);
    for (const auto* file : {"nats.conf", "permissions.conf"})
      fs::copy(compose(std::string("nats/") + file), etc / file);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto name = "nats-" + std::to_string(i + 1);
      servers_.emplace_back(embedded::Command{
          .arguments =
              with_secret({embedded::find_program("nats-server").string(), "-c", (etc / "nats.conf").string()}),
          .environment = {{"NATS_NAME", name},
                          {"SECRET_ENVIRONMENT", (secrets() / "nats.environment").string()},
                          {"NATS_LISTEN", loopback(nodes_[i].client)},
                          {"NATS_CLUSTER_LISTEN", loopback(nodes_[i].route)},
                          {"NATS_HTTP", loopback(nodes_[i].monitor)},
                          {"NATS_STORE", (folder_.path() / name).string()}},
          .output = folder_.path() / (name + ".log")});
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      httplib::Client client("127.0.0.1", nodes_[i].monitor);
      const auto healthy = [&] {
        const auto answer = client.Get("/healthz");
        return answer && answer->status == 200;
      };
      ASSERT_TRUE(embedded::await(healthy, std::chrono::seconds(60)))
          << embedded::tail(folder_.path() / ("nats-" + std::to_string(i + 1) + ".log"));
    }
  }

  void start_postgres() {
    const auto etc = folder_.path() / "etc-postgresql";
    fs::create_directories(etc);
    for (const auto* file : {"postgresql.conf", "pg_hba.conf"})
      fs::copy(compose(std::string("postgres/") + file), etc / file);
    postgres_.emplace(
        embedded::PostgresServer::Options{.folder = folder_.path() / "postgres",
                                          .port = postgres_port_,
                                          .configuration = {{"config_file", (etc / "postgresql.conf").string()},
                                                            {"hba_file", (etc / "pg_hba.conf").string()}}});
    const auto made = run({"psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", compose("postgres/databases.sql").string(),
                           postgres_->conninfo("postgres")});
    ASSERT_EQ(made.exit_code, 0) << made.output;
    // The image sets the superuser's password from its secret; here the server has made one already.
    pqxx::connection connection(postgres_->conninfo("postgres"));
    pqxx::nontransaction work(connection);
    work.exec("ALTER ROLE postgres PASSWORD " + work.quote(secret("postgres-password")));
  }

  /// Through the entrypoint, with the settings of a secret.
  std::vector<std::string> with_secret(std::vector<std::string> command) const {
    command.insert(command.begin(), compose("entrypoint").string());
    return command;
  }
  Answer prepare() const {
    const auto path = binaries().string() + ":" + std::getenv("PATH");
    return run(with_secret({compose("prepare").string()}),
               {{"PATH", path},
                {"SECRET_ENVIRONMENT", (secrets() / "prepare.environment").string()},
                {"POSTGRES_HOST", loopback(postgres_port_)},
                {"QUADRILLE_REPLICAS", "3"},
                {"CONTRACTS", (root() / "contracts" / "shop").string()},
                {"SECRETS", secrets().string()}});
  }
  /// Where it serves.
  std::string start_service(const std::string& participant) {
    const auto http = loopback(embedded::free_port());
    servers_.emplace_back(
        embedded::Command{.arguments = with_secret({(binaries() / ("shop-" + participant)).string()}),
                          .environment = {{"SECRET_ENVIRONMENT", (secrets() / (participant + ".environment")).string()},
                                          {"QUADRILLE_HTTP", http},
                                          {"QUADRILLE_REPLICAS", "3"},
                                          {"QUADRILLE_LOG_FORMAT", "json"},
                                          {"QUADRILLE_INSTANCE", participant + "-1"}},
                          .output = folder_.path() / (participant + ".log")});
    return http;
  }
  static bool answers(const std::string& http, const std::string& path, const std::string& expected) {
    const auto answer = httplib::Client("http://" + http).Get(path);
    return answer && answer->status == 200 && answer->body.find(expected) != std::string::npos;
  }
  std::string database_url(const std::string& database, const std::string& role) const {
    return "postgresql://" + role + ":" + secret(role + "-database-password") + "@" + loopback(postgres_port_) + "/" +
           database;
  }
  std::unique_ptr<Broker> as(const std::string& login) const {
    return jetstream::connect({.url = "nats://" + login + "@" + loopback(nodes_[0].client),
                               .client_name = "order",
                               .connect_timeout = std::chrono::seconds(2),
                               .publish_timeout = std::chrono::milliseconds(1500)});
  }

  struct Ports {
    int client;
    int route;
    int monitor;
  };
  embedded::TemporaryFolder folder_;
  std::vector<Ports> nodes_;
  int postgres_port_ = 0;
  std::optional<embedded::PostgresServer> postgres_;
  std::list<embedded::ChildProcess> servers_;
};

TEST_F(ComposeServers, CarryTheShopOnceTheyArePrepared) {
  const auto prepared = prepare();
  ASSERT_EQ(prepared.exit_code, 0) << prepared.output;
  const auto again = prepare();
  EXPECT_EQ(again.exit_code, 0) << "it may run again: " << again.output;
  std::map<std::string, std::string> http;
  for (const auto* participant : {"order", "payment", "inventory", "shipping"})
    http[participant] = start_service(participant);
  for (const auto& [participant, address] : http)
    EXPECT_TRUE(embedded::await([&] { return answers(address, "/ready", "ready"); }, std::chrono::seconds(60)))
        << embedded::tail(folder_.path() / (participant + ".log"));
  for (const auto& [database, row] : {std::pair{"payment", "'account/ada'"}, std::pair{"inventory", "'item/clock'"}}) {
    pqxx::connection connection("postgresql://postgres:" + secret("postgres-password") + "@" +
                                loopback(postgres_port_) + "/" + database);
    pqxx::nontransaction work(connection);
    work.exec(std::string("INSERT INTO quadrille.quantities (resource, total) VALUES (") + row + ", 1000)");
  }
  httplib::Client client("http://" + http.at("order"));
  const auto placed =
      client.Post("/orders", {{"Idempotency-Key", "1"}},
                  R"({"order_id": "o-1", "customer_id": "ada", "item": "clock", "quantity": 1, "amount_cents": 250})",
                  "application/json");
  ASSERT_TRUE(placed);
  ASSERT_EQ(placed->status, 201) << placed->body;
  EXPECT_TRUE(
      embedded::await([&] { return answers(http.at("order"), "/orders/o-1", "confirmed"); }, std::chrono::seconds(60)))
      << embedded::tail(folder_.path() / "payment.log");
  for (const auto& [participant, address] : http) {
    EXPECT_EQ(content(folder_.path() / (participant + ".log")).find(secret(participant + "-database-password")),
              std::string::npos);
    EXPECT_EQ(content(folder_.path() / (participant + ".log")).find(secret(participant + "-nats-password")),
              std::string::npos);
  }
}

TEST_F(ComposeServers, LetNobodyDoMoreThanItsPart) {
  const auto prepared = prepare();
  ASSERT_EQ(prepared.exit_code, 0) << prepared.output;
  EXPECT_NO_THROW(pqxx::connection(database_url("payment", "payment")));
  EXPECT_THROW(pqxx::connection(database_url("order", "payment")), std::exception) << "another's database";
  EXPECT_THROW(pqxx::connection("postgresql://payment:wrong@" + loopback(postgres_port_) + "/payment"), std::exception);
  pqxx::connection payment(database_url("payment", "payment"));
  pqxx::nontransaction work(payment);
  EXPECT_THROW(work.exec("DELETE FROM quadrille.events"), pqxx::insufficient_privilege);
  pqxx::connection superuser("postgresql://postgres:" + secret("postgres-password") + "@" + loopback(postgres_port_) +
                             "/postgres");
  const auto settings = pqxx::nontransaction(superuser).exec(
      "SELECT FROM pg_settings WHERE name IN ('wal_level', 'max_slot_wal_keep_size', 'password_encryption', "
      "'synchronous_commit', 'max_connections') AND sourcefile LIKE '%/etc-postgresql/postgresql.conf'");
  EXPECT_EQ(settings.size(), 5) << "from the file";
  const auto order = as("order:" + secret("order-nats-password"));
  const auto publish = [&](const std::string& subject) {
    const Message message{subject, {{"Nats-Msg-Id", new_uuid()}}, "x"};
    return order->publish(std::span(&message, 1)).front();
  };
  EXPECT_EQ(publish("evt.1.order.order.OrderPlaced"), Published::stored);
  EXPECT_EQ(publish("evt.1.payment.payment.PaymentCaptured"), Published::refused);
  EXPECT_THROW(as("order:wrong"), Error);
  EXPECT_THROW(as("route:" + secret("route-nats-password")), Error) << "that password is for the servers' routes";
}

}  // namespace
}  // namespace quadrille
