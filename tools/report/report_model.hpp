#pragma once

#include "report/report.hpp"

#include <nlohmann/json_fwd.hpp>

namespace quadrille::report {

/// What the page shows. Participants, steps and events name each other by their places in the lists.
[[nodiscard]] nlohmann::ordered_json model_of(const Report& input);

}  // namespace quadrille::report
