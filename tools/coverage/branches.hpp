#pragma once

#include "contract/model.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The ways through a choreography that its contracts declare, and which of them tests have taken.
namespace quadrille::coverage {

enum class Kind { success, failure, timeout, compensation };
inline constexpr std::array all_kinds{Kind::success, Kind::failure, Kind::timeout, Kind::compensation};
[[nodiscard]] std::string_view name_of(Kind kind);

/// A way into a step or out of it. What a step says is a branch each; so is what starts it, where that may be one of
/// several. Not their product: which of them go together is the step's decision, and no contract's.
struct Branch {
  std::string participant;
  std::string step;     ///< rpc name
  std::string trigger;  ///< full name of the event that starts it; empty: whatever does
  std::string said;     ///< full name of the event it says, or `nothing`; empty: whatever it says
  Kind kind = Kind::success;
  std::uint64_t times = 0;  ///< how often tests took it
};

/// What a step says where it has nothing to say.
inline constexpr std::string_view nothing = "nothing";

/// In the order of the contracts. External participants have none: no test runs them.
[[nodiscard]] std::vector<Branch> branches_of(const contract::Model& model);

/// `payment.Authorize says PaymentDeclined`
[[nodiscard]] std::string text_of(const Branch& branch);

}  // namespace quadrille::coverage
