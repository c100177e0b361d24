#pragma once

#include "tracker/standing.hpp"

#include <nlohmann/json.hpp>

namespace quadrille::tracker {

/// One line of a list, without what changes by itself as time goes by. Times are RFC 3339.
[[nodiscard]] nlohmann::ordered_json summary_of(const Standing& standing);

/// Everything there is to tell of one part: the summary, and ledger, timers, what remains, what people did.
[[nodiscard]] nlohmann::ordered_json in_full(const Standing& standing);

}  // namespace quadrille::tracker
