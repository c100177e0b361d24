#pragma once

#include "core/event.hpp"
#include "quadrille/testing/choreography.hpp"
#include "runtime/part.hpp"

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::testing {

/// What a saga's steps have said so far: (`payment.Authorize`, full name of the event).
using Said = std::set<std::pair<std::string, std::string>>;

/// Tells where a saga stands from its events, in the order they were recorded, and from who said them.
[[nodiscard]] SagaState saga_state(std::span<const Event> events, const Said& said,
                                   const std::vector<const runtime::Part*>& parts);

}  // namespace quadrille::testing
