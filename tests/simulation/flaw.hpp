#pragma once

#include <array>
#include <ostream>
#include <string>

namespace simulation {

/// A promise that the ports break, so that the simulation shows that it would notice.
enum class Flaw {
  none,
  no_claim,       ///< the inbox says of each message that it is new
  no_fence,       ///< whatever version of a stream comes is the next one
  early_ack,      ///< acknowledged when received, before anything of it is committed
  early_removal,  ///< out of the outbox before the broker has it
  no_token,       ///< whoever had a lease is taken to have it still
};
inline constexpr std::array all_flaws{Flaw::no_claim, Flaw::no_fence, Flaw::early_ack, Flaw::early_removal,
                                      Flaw::no_token};

[[nodiscard]] inline std::string name_of(Flaw flaw) {
  constexpr std::array names{"none", "no_claim", "no_fence", "early_ack", "early_removal", "no_token"};
  return names.at(static_cast<std::size_t>(flaw));
}
inline std::ostream& operator<<(std::ostream& out, Flaw flaw) { return out << name_of(flaw); }

}  // namespace simulation
