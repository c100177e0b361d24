#pragma once

#include "core/event.hpp"
#include "quadrille/casefile/v1/case.pb.h"

#include <vector>

namespace quadrille::casefile {

[[nodiscard]] v1::RecordedEvent to_recorded(const Event& event);
[[nodiscard]] Event to_event(const v1::RecordedEvent& recorded);
[[nodiscard]] std::vector<Event> events_of(const v1::Case& one);

}  // namespace quadrille::casefile
