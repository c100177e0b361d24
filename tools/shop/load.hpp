#pragma once

#include "dev/system.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace quadrille::shop {

/// An order as it was asked for.
struct Order {
  std::string id;
  std::string customer;
  std::string item;
  std::uint32_t quantity = 0;
  std::uint64_t cents = 0;
};

/// What is on the accounts and the shelves when the shop opens.
struct Opening {
  std::map<std::string, std::int64_t> cents_by_customer;
  std::map<std::string, std::int64_t> pieces_by_item;
};

/// A dozen customers, some of them poor, and a handful of items, some of them scarce: orders of it end in every way.
[[nodiscard]] Opening usual_opening();

/// Leaves accounts and shelves that are there as they are.
void open_shop(const dev::System& system, const Opening& opening);

/// Places orders drawn at random from an opening, seeded: the same orders for the same seed.
class Load {
 public:
  Load(dev::System& system, const Opening& opening, std::uint64_t seed);

  /// Places that many; a request that is not answered is sent again with the same Idempotency-Key until it is, at most
  /// this long each. Throws std::runtime_error when the edge refuses one.
  void place(std::size_t count, std::chrono::seconds patience = std::chrono::seconds(60));
  [[nodiscard]] const std::vector<Order>& orders() const { return orders_; }
  /// What GET /orders/{id} says of the order: confirmed, rejected, placed, giving up.
  [[nodiscard]] std::string status(const std::string& order_id) const;

 private:
  [[nodiscard]] Order draw();

  dev::System& system_;
  Opening opening_;
  std::mt19937_64 random_;
  std::vector<Order> orders_;
};

}  // namespace quadrille::shop
