#pragma once

#include "core/store.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace quadrille::runtime {

/// What an instance asks leases of.
struct LeaseNames {
  std::vector<std::string> alone;   ///< each for whoever comes first
  std::vector<std::string> shared;  ///< each instance that lives gets its part of them
};

/// What came of asking.
struct LeaseRound {
  std::map<std::string, std::uint64_t> held;  ///< epoch by name
  std::size_t instances = 1;                  ///< that live, this one included
};

/// Renews what the owner has and takes what is free, of the shared ones no more than their number divided by that of
/// the instances, rounded up. An instance is known to live by a lease of its own. One transaction; the database's clock
/// only. What the owner has beyond its part is not renewed: it runs out, or is given back before that.
[[nodiscard]] LeaseRound renew_leases(Store& store, const LeaseNames& names, const std::string& owner,
                                      std::chrono::milliseconds time_to_live);

}  // namespace quadrille::runtime
