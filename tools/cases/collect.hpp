#pragma once

#include "quadrille/casefile/v1/case.pb.h"
#include "traffic/sources.hpp"

#include <functional>
#include <set>
#include <string>

namespace quadrille::cases {

/// The events of one saga, and of the streams it recorded in also what other sagas had recorded there before: without
/// them no state can be folded. Reads the source twice. A case without events where the saga is not there; throws as
/// traffic::read does.
[[nodiscard]] casefile::v1::Case collect(const traffic::Source& source, const std::string& saga_id);

/// The same of every saga that a source holds, in the order of their beginnings. Keeps all events in memory.
void collect_all(const traffic::Source& source, const std::function<void(const casefile::v1::Case&)>& take);

/// Participants that recorded events of the case.
[[nodiscard]] std::set<std::string> participants(const casefile::v1::Case& one);

}  // namespace quadrille::cases
