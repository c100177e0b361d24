#pragma once

#include "tracker/engine.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace quadrille::tracker {

/// The tracker's series in Prometheus's text format. Labels are names from the contracts, never ids.
[[nodiscard]] std::string metrics_text(const nlohmann::ordered_json& overview, const Engine& engine, TimePoint now);

}  // namespace quadrille::tracker
