#pragma once

#include "core/event.hpp"
#include "core/store.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace simulation {

/// What there must be of money or stock, told from what was said about it alone.
class Books {
 public:
  void open(const std::string& resource, std::int64_t amount) { accounts_[resource].total = amount; }
  void enter(const quadrille::Event& event);
  /// What differs in the store; empty: nothing.
  [[nodiscard]] std::string difference(quadrille::Quantities& quantities) const;
  [[nodiscard]] bool anything_held() const { return !holds_.empty(); }

 private:
  void hold(const std::string& key, const std::string& resource, std::int64_t amount);
  void end_hold(const std::string& key, bool taken);

  std::map<std::string, quadrille::Quantities::Quantity> accounts_;
  std::map<std::string, std::pair<std::string, std::int64_t>> holds_;  ///< by order
};

}  // namespace simulation
