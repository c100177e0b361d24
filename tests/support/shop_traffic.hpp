#pragma once

#include "checker/load.hpp"
#include "core/event.hpp"

#include <map>
#include <string>
#include <vector>

namespace quadrille::support {

/// The reference shop's contracts.
[[nodiscard]] const checker::Contracts& shop_contracts();

/// Writes events of the shop as the runtime would, one second apart.
class ShopTraffic {
 public:
  /// Says an event because of an earlier one (by its place, -1: nothing); answers its place. The key is the saga's id.
  int say(const std::string& source, const std::string& short_name, int cause, const std::string& saga = "s1");
  /// A whole happy checkout; the place of its first event.
  int checkout(const std::string& saga = "s1");

  std::vector<Event> events;

 private:
  std::map<std::string, std::uint64_t> versions_;
};

}  // namespace quadrille::support
