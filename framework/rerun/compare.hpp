#pragma once

#include "core/event.hpp"
#include "quadrille/casefile/v1/report.pb.h"
#include "runtime/part.hpp"

#include <string>
#include <vector>

namespace quadrille::rerun {

/// Type and content as JSON.
[[nodiscard]] casefile::v1::Said to_said(const runtime::Part& part, const Event& event);
[[nodiscard]] casefile::v1::Said to_said(const google::protobuf::Message& message);

/// What recorded events say today: each as it is, or as the participant's upcasters read it.
[[nodiscard]] std::vector<Event> today(const runtime::Part& part, const std::vector<Event>& recorded);

/// Field by field where the types are the same; empty when the two say the same. Ids and times do not count.
[[nodiscard]] std::vector<std::string> difference(const runtime::Part& part, const std::vector<Event>& recorded,
                                                  const std::vector<Event>& said);

}  // namespace quadrille::rerun
