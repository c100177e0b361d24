#pragma once

#include "core/event.hpp"

#include <cstdint>
#include <functional>

namespace quadrille::bench {

/// Sagas of the shop that all end well, of six events each, overlapping: ids and contents are those of real ones in
/// form and size.
void synthesize(std::uint64_t sagas, const std::function<void(const Event&)>& take);
inline constexpr std::uint64_t events_a_saga = 6;

/// The id of the saga of that number.
[[nodiscard]] std::string saga_id_of(std::uint64_t number);

}  // namespace quadrille::bench
