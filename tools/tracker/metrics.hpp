#pragma once

#include "tracker/engine.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace quadrille::tracker {

/// The tracker's series in Prometheus's text format. Labels are names from the contracts, never ids. `instances`: as
/// Inquiries tells them; null while the broker cannot be asked.
[[nodiscard]] std::string metrics_text(const nlohmann::ordered_json& overview, const nlohmann::ordered_json& instances,
                                       const Engine& engine, TimePoint now);

}  // namespace quadrille::tracker
