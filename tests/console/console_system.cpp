#include "console_system.hpp"

#include "embedded/probe.hpp"

#include <httplib.h>
#include <pqxx/pqxx>

#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace quadrille {
namespace {

namespace fs = std::filesystem;

fs::path binaries() { return fs::canonical("/proc/self/exe").parent_path(); }

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// What fails is parked soon.
std::vector<dev::ServiceSpec> impatient_services() {
  auto specs = dev::shop_services(binaries());
  for (auto& spec : specs) {
    spec.environment["QUADRILLE_MAX_ATTEMPTS"] = "3";
    spec.environment["QUADRILLE_FIRST_RETRY"] = "20ms";
  }
  return specs;
}

std::string quoted(const std::string& text) { return "'" + std::regex_replace(text, std::regex("'"), "''") + "'"; }

}  // namespace

ConsoleSystem::ConsoleSystem()
    : system_(dev::System::Options{.folder = folder_.path(), .services = impatient_services()}),
      opening_{.cents_by_customer = {{"ada", 100'000'000}}, .pieces_by_item = {{"clock", 1'000'000}}},
      tracker_database_(system_.postgres().conninfo("tracker")) {
  shop::open_shop(system_, opening_);
  std::ofstream(folder_.path() / "token") << token << "\n";
  sql(system_.postgres().conninfo("postgres"), "CREATE DATABASE tracker");
  system_.start_all();
  system_.await_all_ready();
}

embedded::Command ConsoleSystem::command(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), (binaries() / "quadrille-tracker").string());
  return {.arguments = std::move(arguments),
          .environment = {{"QUADRILLE_NATS_URL", system_.nats_url("tracker")},
                          {"QUADRILLE_DATABASE_URL", tracker_database()},
                          {"QUADRILLE_TOKEN_FILE", (folder_.path() / "token").string()}},
          .output = folder_.path() / ("tracker-" + std::to_string(starts_) + ".log")};
}

void ConsoleSystem::start_tracker(const std::string& http, std::vector<std::string> arguments) {
  tracker_.reset();
  ++starts_;
  arguments.insert(arguments.begin(), {"--http", http});
  const auto started = command(std::move(arguments));
  tracker_.emplace(started);
  std::smatch match;
  std::string log;
  const auto ready = [&] {
    log = content(started.output);
    return std::regex_search(log, match, std::regex("http on port ([0-9]+)"));
  };
  if (!embedded::await(ready, std::chrono::seconds(30))) throw std::runtime_error("the tracker: " + log);
  port_ = std::stoi(match[1].str());
  // It takes requests before it has reached its database.
  if (http.starts_with("127.") && !embedded::await(
                                      [&] {
                                        const auto answer = httplib::Client("127.0.0.1", port_).Get("/ready");
                                        return answer && answer->status == 200;
                                      },
                                      std::chrono::seconds(30)))
    throw std::runtime_error("the tracker does not become ready: " + content(started.output));
}

std::pair<int, std::string> ConsoleSystem::run_tracker(std::vector<std::string> arguments) {
  ++starts_;
  const auto started = command(std::move(arguments));
  embedded::ChildProcess process(started);
  const int code = process.wait(std::chrono::seconds(20)).value_or(-1);
  return {code, content(started.output)};
}

void ConsoleSystem::place(int orders, const std::string& order_id) {
  httplib::Client edge("http://" + system_.http("order"));
  for (int i = 0; i < orders; ++i) {
    nlohmann::json order{{"customer_id", "ada"}, {"item", "clock"}, {"quantity", 1}, {"amount_cents", 2500}};
    order["order_id"] = i == 0 && !order_id.empty() ? order_id : "o-" + std::to_string(placed_);
    const auto answer =
        edge.Post("/orders", {{"Idempotency-Key", std::to_string(placed_++)}}, order.dump(), "application/json");
    if (!answer || answer->status != 201)
      throw std::runtime_error("an order was refused: " + (answer ? answer->body : "no answer"));
  }
}

nlohmann::json ConsoleSystem::get(const std::string& path) const {
  httplib::Client client("127.0.0.1", port_);
  client.set_read_timeout(30);
  const auto answer = client.Get(path);
  if (!answer || answer->status != 200)
    throw std::runtime_error(path + ": " +
                             (answer ? std::to_string(answer->status) + " " + answer->body : "no answer"));
  return nlohmann::json::parse(answer->body);
}

bool ConsoleSystem::await_sagas(const std::string& state, std::size_t number) const {
  return embedded::await(
      [&] {
        std::size_t found = 0;
        const auto overview = get("/api/overview");
        for (const auto& saga : overview["sagas"]) found += saga["states"].value(state, std::size_t{0});
        return found == number;
      },
      std::chrono::seconds(60));
}

void ConsoleSystem::break_the_card_network(const std::string& error) const {
  // 55000 is one of the states after which a step is tried again.
  sql(system_.owner_url("payment"),
      "CREATE OR REPLACE FUNCTION public.away() RETURNS trigger LANGUAGE plpgsql AS $away$ BEGIN RAISE EXCEPTION "
      "USING ERRCODE = '55000', MESSAGE = " +
          quoted(error) +
          "; END $away$; CREATE TRIGGER away BEFORE INSERT ON quadrille.holds FOR EACH ROW EXECUTE FUNCTION "
          "public.away()");
}

void ConsoleSystem::mend_the_card_network() const {
  sql(system_.owner_url("payment"), "DROP TRIGGER away ON quadrille.holds");
}

void ConsoleSystem::sql(const std::string& conninfo, const std::string& statement) const {
  pqxx::connection connection(conninfo);
  pqxx::nontransaction work(connection);
  work.exec(statement);
}

}  // namespace quadrille
