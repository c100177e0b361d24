// One order flow, choreographed and orchestrated, over the same servers' programs: what each costs in messages and
// transactions, counted in the databases, and how fast it goes.
#include "dev/system.hpp"
#include "embedded/probe.hpp"

#include <CLI/CLI.hpp>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace {

using namespace quadrille;
using Json = nlohmann::json;

constexpr int business_steps = 5;  // authorize, reserve, capture, book, dispatch

struct Style {
  std::string name;
  std::string programs;                   ///< how the names of its programs begin
  std::vector<std::string> participants;  ///< the first one takes orders
  std::string path;
  std::string money;  ///< who holds it, and who the stock
  std::string stock;
};

const Style styles[] = {
    {"choreographed", "shop-", {"order", "payment", "inventory", "shipping"}, "/orders", "payment", "inventory"},
    {"orchestrated", "orchestrated-", {"checkout", "till", "shelf", "parcels"}, "/checkouts", "till", "shelf"}};

/// A shop in one style, and what its databases say.
class Shop {
 public:
  explicit Shop(const Style& style) : style_(style), system_({.folder = folder_.path(), .services = services(style)}) {
    stock(style.money, "account/ada");
    stock(style.stock, "item/clock");
  }

  void order(int count, const std::string& item) {
    httplib::Client client("http://" + system_.http(edge()));
    client.set_keep_alive(true);
    client.set_tcp_nodelay(true);
    for (int i = 0; i < count; ++i) {
      const auto id = item + "-" + std::to_string(ordered_++);
      const Json body{
          {"order_id", id}, {"customer_id", "ada"}, {"item", item}, {"quantity", 1}, {"amount_cents", "100"}};
      const auto answer = client.Post(style_.path, {{"Idempotency-Key", id}}, body.dump(), "application/json");
      if (!answer || answer->status != 201) throw std::runtime_error("an order was not taken");
    }
  }
  void await_ends(std::int64_t sagas) const {
    const bool ended = embedded::await(
        [&] {
          return number(edge(),
                        "SELECT count(*) FROM quadrille.events WHERE type ~ "
                        "'(Confirmed|Rejected|Completed|Cancelled)$'") >= sagas;
        },
        std::chrono::seconds(120));
    if (!ended)
      throw std::runtime_error("not all sagas have ended within two minutes; logs in " + folder_.path().string());
  }
  void start_edge() {
    system_.start(edge());
    system_.await_ready(edge());
  }
  void start_others() {
    for (const auto& participant : style_.participants)
      if (participant != edge()) system_.start(participant);
    system_.await_all_ready();
  }
  void kill_others() {
    for (const auto& participant : style_.participants)
      if (participant != edge()) system_.process(participant).kill();
  }
  [[nodiscard]] std::int64_t messages() const { return sum("SELECT count(*) FROM quadrille.events"); }
  [[nodiscard]] std::int64_t transactions() const { return sum("SELECT count(DISTINCT tx) FROM quadrille.events"); }
  /// From the first thing that the others say to the last end.
  [[nodiscard]] double drained_in() const {
    double first = 0;
    for (const auto& participant : style_.participants) {
      if (participant == edge()) continue;
      const auto begun =
          real(participant, "SELECT coalesce(extract(epoch FROM min(recorded_at)), 0) FROM quadrille.events");
      if (begun > 0 && (first == 0 || begun < first)) first = begun;
    }
    return real(edge(), "SELECT extract(epoch FROM max(recorded_at)) FROM quadrille.events") - first;
  }
  /// Of the newest sagas, from the first event to the last, in milliseconds.
  [[nodiscard]] double median_latency(int sagas) const {
    return real(
        edge(),
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY t) FROM (SELECT extract(epoch FROM max(recorded_at) - "
        "min(recorded_at)) * 1000 AS t FROM quadrille.events GROUP BY saga_id ORDER BY min(position) DESC LIMIT " +
            std::to_string(sagas) + ") AS newest");
  }

 private:
  static std::vector<dev::ServiceSpec> services(const Style& style) {
    const auto binaries = std::filesystem::canonical("/proc/self/exe").parent_path();
    std::vector<dev::ServiceSpec> specs;
    for (const auto& name : style.participants)
      specs.push_back({name, binaries / (style.programs + name), {{"QUADRILLE_LOG_LEVEL", "warn"}}});
    return specs;
  }
  [[nodiscard]] const std::string& edge() const { return style_.participants.front(); }
  void stock(const std::string& participant, const std::string& resource) const {
    pqxx::connection connection(system_.owner_url(participant));
    pqxx::work work(connection);
    work.exec("INSERT INTO quadrille.quantities (resource, total) VALUES (" + work.quote(resource) + ", 1000000000)");
    work.commit();
  }
  [[nodiscard]] pqxx::result query(const std::string& participant, const std::string& text) const {
    pqxx::connection connection(system_.owner_url(participant));
    pqxx::nontransaction work(connection);
    return work.exec(text);
  }
  [[nodiscard]] std::int64_t number(const std::string& participant, const std::string& text) const {
    return query(participant, text)[0][0].as<std::int64_t>();
  }
  [[nodiscard]] double real(const std::string& participant, const std::string& text) const {
    return query(participant, text)[0][0].as<double>();
  }
  [[nodiscard]] std::int64_t sum(const std::string& text) const {
    std::int64_t all = 0;
    for (const auto& participant : style_.participants) all += number(participant, text);
    return all;
  }

  const Style& style_;
  embedded::TemporaryFolder folder_;
  dev::System system_;
  int ordered_ = 0;
};

struct Figures {
  double steps_per_second = 0;
  double milliseconds = 0;
  double messages = 0;  ///< of one saga that succeeds
  double transactions = 0;
  double messages_of_a_failure = 0;  ///< at the last step that can be undone
  double transactions_of_a_failure = 0;
};

Figures measure(const Style& style, int load) {
  Shop shop(style);
  shop.start_edge();
  shop.start_others();  // who is new hears what is said from now on
  shop.kill_others();
  shop.order(load, "clock");
  shop.start_others();
  shop.await_ends(load);
  Figures figures;
  figures.steps_per_second = business_steps * load / shop.drained_in();
  std::int64_t ended = load;
  constexpr int alone = 20;
  const auto one_by_one = [&](const std::string& item, double& messages, double& transactions) {
    const auto messages_before = shop.messages();
    const auto transactions_before = shop.transactions();
    for (int i = 0; i < alone; ++i) {
      shop.order(1, item);
      shop.await_ends(++ended);
    }
    messages = static_cast<double>(shop.messages() - messages_before) / alone;
    transactions = static_cast<double>(shop.transactions() - transactions_before) / alone;
  };
  one_by_one("clock", figures.messages, figures.transactions);
  figures.milliseconds = shop.median_latency(alone);
  one_by_one("nothing", figures.messages_of_a_failure, figures.transactions_of_a_failure);
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "One order flow of five steps in both styles: messages and transactions a saga, steps a second, latency.\n\n"
      "Exit code: 0 measured, 2 not.");
  int load = 1000;
  app.add_option("--sagas", load, "How many wait when the participants start")
      ->capture_default_str()
      ->check(CLI::Range(10, 1'000'000));
  CLI11_PARSE(app, argc, argv);
  try {
    std::vector<Figures> figures;
    for (const auto& style : styles) figures.push_back(measure(style, load));
    std::printf("%-34s %14s %14s\n", "", "choreographed", "orchestrated");
    const auto row = [&](const char* what, double Figures::*figure) {
      std::printf("%-34s %14.1f %14.1f\n", what, figures[0].*figure, figures[1].*figure);
    };
    row("messages, all goes well", &Figures::messages);
    row("transactions, all goes well", &Figures::transactions);
    row("messages, out of stock", &Figures::messages_of_a_failure);
    row("transactions, out of stock", &Figures::transactions_of_a_failure);
    row("steps a second", &Figures::steps_per_second);
    row("a saga alone, p50, ms", &Figures::milliseconds);
    std::printf("orchestrated / choreographed: %.2f of the steps a second; target 0.60\n",
                figures[1].steps_per_second / figures[0].steps_per_second);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return 0;
}
