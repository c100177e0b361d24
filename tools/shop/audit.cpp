#include "shop/audit.hpp"

#include "embedded/probe.hpp"
#include "shop/order/v1/order_events.pb.h"

#include <pqxx/pqxx>

#include <cstdint>
#include <set>
#include <tuple>
#include <utility>

namespace quadrille::shop {
namespace {

constexpr const char* placed_type = "shop.order.v1.OrderPlaced";
constexpr const char* confirmed_type = "shop.order.v1.OrderConfirmed";
constexpr const char* rejected_type = "shop.order.v1.OrderRejected";
constexpr const char* captured_type = "shop.payment.v1.PaymentCaptured";
constexpr const char* dispatched_type = "shop.inventory.v1.StockDispatched";

pqxx::result query(const std::string& database_url, const std::string& text) {
  pqxx::connection connection(database_url);
  pqxx::nontransaction work(connection);
  return work.exec(text);
}

std::int64_t number(const std::string& database_url, const std::string& text) {
  return query(database_url, text)[0][0].as<std::int64_t>();
}

/// How often each key has an event of the type.
std::map<std::string, int> count_by_key(const std::string& database_url, const std::string& type) {
  std::map<std::string, int> counts;
  for (const auto& row :
       query(database_url, "SELECT key, count(*) FROM quadrille.events WHERE type = '" + type + "' GROUP BY key"))
    counts[row[0].c_str()] = row[1].as<int>();
  return counts;
}

struct Rejection {
  std::string saga;
  std::string reason;
};

/// libpqxx 6 and 7 have no common way to bytes that neither deprecates.
std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (; digits.size() >= 2; digits.remove_prefix(2))
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(0, 2)), nullptr, 16));
  return bytes;
}

std::vector<Rejection> rejections(const dev::System& system) {
  std::vector<Rejection> result;
  for (const auto& row :
       query(system.owner_url("order"),
             std::string("SELECT saga_id, encode(payload, 'hex') FROM quadrille.events WHERE type = '") +
                 rejected_type + "' ORDER BY position")) {
    ::shop::order::v1::OrderRejected event;
    event.ParseFromString(from_hex(row[1].c_str()));
    result.push_back({row[0].c_str(), event.reason()});
  }
  return result;
}

/// Where a participant has not applied the newest version of a stream it hears: one sentence each.
std::vector<std::string> unheard(const dev::System& system) {
  std::map<std::string, std::int64_t> versions;
  for (const auto& service : system.services())
    for (const auto& row :
         query(system.owner_url(service.participant), "SELECT category || '-' || key, version FROM quadrille.streams"))
      versions[row[0].c_str()] = row[1].as<std::int64_t>();
  std::vector<std::string> sentences;
  for (const auto& service : system.services())
    for (const auto& row :
         query(system.owner_url(service.participant), "SELECT category || '-' || key, version FROM quadrille.applied"))
      if (versions[row[0].c_str()] != row[1].as<std::int64_t>())
        sentences.push_back(service.participant + " has applied version " + row[1].c_str() + " of " + row[0].c_str() +
                            ", which is at " + std::to_string(versions[row[0].c_str()]));
  return sentences;
}

class Audit {
 public:
  Audit(const dev::System& system, const Opening& opening, const std::vector<Order>& orders)
      : system_(system), opening_(opening), orders_(orders) {}

  std::vector<std::string> run() {
    every_order_ended_once();
    conserved();
    nothing_left_over();
    versions_without_gaps();
    causes_in_order();
    everything_heard();
    return std::move(violations_);
  }

 private:
  void complain(std::string what) { violations_.push_back(std::move(what)); }

  void every_order_ended_once() {
    const auto order = system_.owner_url("order");
    const auto placed = count_by_key(order, placed_type);
    auto ended = count_by_key(order, rejected_type);
    confirmed_ = count_by_key(order, confirmed_type);
    const auto captured = count_by_key(system_.owner_url("payment"), captured_type);
    const auto dispatched = count_by_key(system_.owner_url("inventory"), dispatched_type);
    for (const auto& [key, count] : confirmed_) ended[key] += count;
    if (placed.size() != orders_.size())
      complain(std::to_string(orders_.size()) + " orders were accepted, " + std::to_string(placed.size()) +
               " are recorded");
    for (const auto& asked : orders_) {
      if (!placed.contains(asked.id) || placed.at(asked.id) != 1)
        complain("order " + asked.id + " was accepted but not placed exactly once");
      if (ended[asked.id] != 1)
        complain("order " + asked.id + " has ended " + std::to_string(ended[asked.id]) + " times");
    }
    same_keys_once("charged", captured);
    same_keys_once("dispatched", dispatched);
  }

  void same_keys_once(const std::string& what, const std::map<std::string, int>& counts) {
    for (const auto& [key, count] : counts) {
      if (count != 1) complain("order " + key + " was " + what + " " + std::to_string(count) + " times");
      if (!confirmed_.contains(key)) complain("order " + key + " was " + what + " but not confirmed");
    }
    for (const auto& [key, count] : confirmed_)
      if (!counts.contains(key)) complain("order " + key + " was confirmed but not " + what);
  }

  void conserved() {
    auto cents = opening_.cents_by_customer;
    auto pieces = opening_.pieces_by_item;
    for (const auto& order : orders_) {
      if (!confirmed_.contains(order.id)) continue;
      cents[order.customer] -= static_cast<std::int64_t>(order.cents);
      pieces[order.item] -= order.quantity;
    }
    compare("payment", "account/", cents);
    compare("inventory", "item/", pieces);
  }

  void compare(const std::string& participant, const std::string& prefix,
               const std::map<std::string, std::int64_t>& expected) {
    std::map<std::string, std::int64_t> actual;
    for (const auto& row :
         query(system_.owner_url(participant), "SELECT resource, total, held FROM quadrille.quantities")) {
      actual[row[0].c_str()] = row[1].as<std::int64_t>();
      if (row[2].as<std::int64_t>() != 0)
        complain(std::string(row[0].c_str()) + " still has " + row[2].c_str() + " held");
    }
    for (const auto& [name, amount] : expected)
      if (actual[prefix + name] != amount)
        complain(prefix + name + " is " + std::to_string(actual[prefix + name]) + " and should be " +
                 std::to_string(amount));
  }

  void nothing_left_over() {
    for (const auto& service : system_.services())
      for (const auto* table : {"outbox", "waiting", "holds"})
        if (const auto left =
                number(system_.owner_url(service.participant), std::string("SELECT count(*) FROM quadrille.") + table);
            left != 0)
          complain(service.participant + " has " + std::to_string(left) + " rows left in " + table);
  }

  void versions_without_gaps() {
    for (const auto& service : system_.services()) {
      const auto gaps = number(system_.owner_url(service.participant),
                               "SELECT count(*) FROM (SELECT version, row_number() OVER (PARTITION BY category, key "
                               "ORDER BY version) AS place FROM quadrille.events) AS e "
                               "WHERE version <> place");
      if (gaps != 0)
        complain(service.participant + " has " + std::to_string(gaps) +
                 " events that are not where their version says");
    }
  }

  /// Seen from what was recorded: no stream reacted to a newer event of another stream before an older one.
  void causes_in_order() {
    std::map<std::string, std::pair<std::string, std::int64_t>> place_by_id;
    std::vector<std::tuple<std::string, std::int64_t, std::string>> recorded;  // stream, version, cause
    for (const auto& service : system_.services())
      for (const auto& row :
           query(system_.owner_url(service.participant),
                 "SELECT category || '-' || key, version, id, causation_id FROM quadrille.events ORDER BY 1, 2")) {
        place_by_id[row[2].c_str()] = {row[0].c_str(), row[1].as<std::int64_t>()};
        recorded.emplace_back(row[0].c_str(), row[1].as<std::int64_t>(), row[3].c_str());
      }
    std::map<std::pair<std::string, std::string>, std::int64_t> newest;
    for (const auto& [stream, version, cause] : recorded) {
      const auto place = place_by_id.find(cause);
      if (cause.empty()) continue;
      if (place == place_by_id.end()) {
        complain("version " + std::to_string(version) + " of " + stream + " was caused by an event nobody recorded");
        continue;
      }
      auto& before = newest[{stream, place->second.first}];
      if (place->second.second < before)
        complain(stream + " reacted to version " + std::to_string(place->second.second) + " of " + place->second.first +
                 " after version " + std::to_string(before));
      before = std::max(before, place->second.second);
    }
  }

  void everything_heard() {
    for (auto& what : unheard(system_)) complain(std::move(what));
  }

  const dev::System& system_;
  const Opening& opening_;
  const std::vector<Order>& orders_;
  std::map<std::string, int> confirmed_;
  std::vector<std::string> violations_;
};

}  // namespace

std::size_t Ends::cancelled() const {
  std::size_t sum = 0;
  for (const auto& [reason, count] : cancelled_by_reason) sum += count;
  return sum;
}

Ends ends(const dev::System& system) {
  Ends result;
  const auto url = system.owner_url("order");
  const auto count = [&](const char* type) {
    return static_cast<std::size_t>(
        number(url, std::string("SELECT count(*) FROM quadrille.events WHERE type = '") + type + "'"));
  };
  result.completed = count(confirmed_type);
  for (const auto& rejection : rejections(system)) ++result.cancelled_by_reason[rejection.reason];
  result.running = count(placed_type) - result.completed - result.cancelled();
  return result;
}

bool await_quiet(const dev::System& system, std::size_t sagas, std::chrono::seconds longest) {
  const auto quiet = [&] {
    for (const auto& service : system.services())
      if (number(system.owner_url(service.participant),
                 "SELECT (SELECT count(*) FROM quadrille.outbox) + (SELECT count(*) FROM quadrille.holds) + (SELECT "
                 "count(*) FROM quadrille.waiting WHERE state <> 4)") != 0)
        return false;
    const auto ended = ends(system);
    return ended.running == 0 && ended.completed + ended.cancelled() >= sagas && unheard(system).empty();
  };
  return embedded::await(
      [&] {
        try {
          return quiet();
        } catch (const pqxx::broken_connection&) {
          return false;  // the server is being restarted
        }
      },
      longest);
}

std::vector<std::string> audit(const dev::System& system, const Opening& opening, const std::vector<Order>& orders) {
  return Audit(system, opening, orders).run();
}

std::int64_t outbox_size(const dev::System& system, const std::string& participant) {
  return number(system.owner_url(participant), "SELECT count(*) FROM quadrille.outbox");
}

bool tails_the_log(const dev::System& system, const std::string& participant) {
  return number(system.owner_url(participant),
                "SELECT count(*) FROM pg_replication_slots WHERE database = current_database() AND active") == 1;
}

std::vector<Parked> parked(const dev::System& system, const std::string& participant) {
  std::vector<Parked> result;
  for (const auto& row :
       query(system.owner_url(participant), "SELECT reason, length(payload) FROM quadrille.waiting WHERE state = 4"))
    result.push_back({row[0].c_str(), row[1].as<std::int64_t>()});
  return result;
}

std::string find_saga(const dev::System& system, const std::string& reason) {
  for (const auto& rejection : rejections(system))
    if (rejection.reason == reason) return rejection.saga;
  return {};
}

}  // namespace quadrille::shop
