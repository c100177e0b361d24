#pragma once

#include "graph/drawing.hpp"
#include "tracker/engine.hpp"
#include "tracker/list.hpp"
#include "tracker/payloads.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::tracker {

/// What people and tools are told, as JSON. Thread-safe.
class View {
 public:
  View(const Engine& engine, const EngineSettings& settings, const Clock& clock);

  using Json = nlohmann::ordered_json;
  /// {"sagas": [...], "next": "..."}
  [[nodiscard]] Json sagas(const Filter& filter) const;
  [[nodiscard]] Json count(const Filter& filter) const;
  /// All parts of one saga in full, with what may be done about each, and its timeline with payloads. Fields that hold
  /// personal data are masked unless `personal`. Nothing when no event of it is known.
  [[nodiscard]] std::optional<Json> saga(const std::string& id, bool personal);
  /// Counts by type and state, by step with the oldest wait, and how far the tracker is.
  [[nodiscard]] Json overview();
  /// A saga type's flow as a drawing: nodes and edges, with how many events passed each.
  [[nodiscard]] std::optional<std::string> flow_svg(const std::string& saga, graph::Style style);
  /// What the checker says of the contracts that run, as `quadrille check --format json` does.
  [[nodiscard]] std::string findings();
  /// Whose contract is known, except for those that do not run the framework.
  [[nodiscard]] std::vector<std::string> participants();
  /// Hides the fields of an event's payload that hold personal data.
  void mask(const std::string& event_type, Json& payload);
  /// Which contracts run: participant, fingerprint, instance, since when renewed.
  [[nodiscard]] Json contracts();

 private:
  [[nodiscard]] std::shared_ptr<const Choreography> choreography(const std::map<std::string, std::string>& spoken);
  [[nodiscard]] Json timeline(const Trail& trail, const Choreography* choreography, bool personal);

  const Engine& engine_;
  const Clock& clock_;
  mutable postgres::Pool pool_;
  Payloads payloads_;
  std::mutex mutex_;  ///< of what is below: graphs are used by one thread
  Choreographies choreographies_;
  std::uint64_t contracts_seen_ = 0;
};

}  // namespace quadrille::tracker
