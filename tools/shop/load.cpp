#include "shop/load.hpp"

#include "core/uuid.hpp"
#include "embedded/probe.hpp"

#include <httplib.h>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

#include <cstdint>
#include <stdexcept>

namespace quadrille::shop {
namespace {

httplib::Client client_of(const std::string& address) {
  httplib::Client client("http://" + address);
  client.set_connection_timeout(2);
  client.set_read_timeout(10);
  client.set_tcp_nodelay(true);
  return client;
}

void stock(const std::string& database_url, const std::string& prefix,
           const std::map<std::string, std::int64_t>& amounts) {
  pqxx::connection connection(database_url);
  pqxx::work work(connection);
  for (const auto& [name, amount] : amounts)
    work.exec("INSERT INTO quadrille.quantities (resource, total) VALUES (" + work.quote(prefix + name) + ", " +
              std::to_string(amount) + ") ON CONFLICT DO NOTHING");
  work.commit();
}

}  // namespace

Opening usual_opening() {
  Opening opening;
  for (const auto* name : {"ada", "barbara", "claude", "dennis", "edsger", "frances", "grace", "hedy"})
    opening.cents_by_customer[name] = 50'000'00;
  for (const auto* name : {"ike", "jean"}) opening.cents_by_customer[name] = 100'00;  // soon out of money
  for (const auto* name : {"clock", "lamp", "radio", "violin"}) opening.pieces_by_item[name] = 5'000;
  opening.pieces_by_item["telescope"] = 5;  // soon out of stock
  return opening;
}

void open_shop(const dev::System& system, const Opening& opening) {
  stock(system.owner_url("payment"), "account/", opening.cents_by_customer);
  stock(system.owner_url("inventory"), "item/", opening.pieces_by_item);
}

Load::Load(dev::System& system, const Opening& opening, std::uint64_t seed)
    : system_(system), opening_(opening), random_(seed) {}

Order Load::draw() {
  const auto any_name = [this](const std::map<std::string, std::int64_t>& amounts) {
    return std::next(amounts.begin(), static_cast<std::ptrdiff_t>(random_() % amounts.size()))->first;
  };
  Order order{new_uuid(), any_name(opening_.cents_by_customer), any_name(opening_.pieces_by_item),
              static_cast<std::uint32_t>(1 + random_() % 3), 0};
  order.cents = order.quantity * (500 + random_() % 4'500);
  return order;
}

void Load::place(std::size_t count, std::chrono::seconds patience) {
  auto client = client_of(system_.http("order"));
  client.set_keep_alive(true);
  for (std::size_t i = 0; i < count; ++i) {
    const auto order = draw();
    const nlohmann::json body{{"order_id", order.id},
                              {"customer_id", order.customer},
                              {"item", order.item},
                              {"quantity", order.quantity},
                              {"amount_cents", std::to_string(order.cents)}};
    const httplib::Headers headers{{"Idempotency-Key", "place-" + order.id}};
    std::string last = "no answer";
    const bool accepted = embedded::await(
        [&] {
          const auto answer = client.Post("/orders", headers, body.dump(), "application/json");
          if (answer) last = std::to_string(answer->status) + " " + answer->body;
          if (answer && answer->status >= 400 && answer->status < 500 && answer->status != 409)
            throw std::runtime_error("order refused: " + last);
          return answer && answer->status == 201;
        },
        patience);
    if (!accepted)
      throw std::runtime_error("order not accepted within " + std::to_string(patience.count()) + " s: " + last);
    orders_.push_back(order);
  }
}

std::string Load::status(const std::string& order_id) const {
  auto client = client_of(system_.http("order"));
  const auto answer = client.Get("/orders/" + order_id);
  if (!answer || answer->status != 200) return "unknown";
  return nlohmann::json::parse(answer->body).value("status", "unknown");
}

}  // namespace quadrille::shop
