#pragma once

#include "quadrille/casefile/v1/case.pb.h"
#include "traffic/sources.hpp"

#include <functional>
#include <set>
#include <string>

namespace quadrille::cases {

/// The events of one saga, and of the streams it recorded in also what other sagas had recorded there before: without
/// them no state can be folded. Reads the source twice, of an archive only what is needed. A case without events where
/// the saga is not there; throws as traffic::read does.
[[nodiscard]] casefile::v1::Case collect(const traffic::Source& source, const std::string& saga_id);

/// The same of every saga that a source holds and that began in the window, in the order of their beginnings, with how
/// many sagas the source holds. What is no archive is made one first, in the temporary folder, so that memory does not
/// grow with the sagas.
void collect_all(traffic::Source source, const archive::Window& began,
                 const std::function<void(const casefile::v1::Case&, std::uint64_t sagas)>& take);

/// Participants that recorded events of the case.
[[nodiscard]] std::set<std::string> participants(const casefile::v1::Case& one);

}  // namespace quadrille::cases
