#pragma once

#include "replay/timeline.hpp"

#include <string>
#include <vector>

namespace quadrille::replay {

/// A sequence diagram: participants, and an arrow from whom said the cause to whom said the event.
[[nodiscard]] std::string as_mermaid(const std::vector<Entry>& entries);

/// The timeline as a page of its own, without scripts or anything to load.
[[nodiscard]] std::string as_html(const std::string& title, const std::vector<Entry>& entries,
                                  const std::vector<nlohmann::ordered_json>& contents);

}  // namespace quadrille::replay
