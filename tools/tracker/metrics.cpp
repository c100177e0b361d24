#include "tracker/metrics.hpp"

#include "core/time_text.hpp"

#include <map>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

namespace quadrille::tracker {
namespace {

using Labels = std::map<std::string, std::string>;

/// Gauges that are told as they are now and forgotten.
class Gauges {
 public:
  void set(const char* name, const char* help, const Labels& labels, double value) {
    prometheus::BuildGauge().Name(name).Help(help).Register(registry_).Add(labels).Set(value);
  }
  [[nodiscard]] std::string text() const { return prometheus::TextSerializer().Serialize(registry_.Collect()); }

 private:
  prometheus::Registry registry_{prometheus::Registry::InsertBehavior::Merge};
};

double seconds_since(const nlohmann::ordered_json& time, TimePoint now) {
  if (!time.is_string()) return 0;
  const auto then = from_rfc3339(time.get<std::string>());
  return then ? std::max(0.0, std::chrono::duration<double>(now - *then).count()) : 0;
}

}  // namespace

std::string metrics_text(const nlohmann::ordered_json& overview, const nlohmann::ordered_json& instances,
                         const Engine& engine, TimePoint now) {
  Gauges gauges;
  for (const auto& [saga, told] : overview["sagas"].items()) {
    const auto in_state = [&](const char* state) { return told["states"].value(state, 0.0); };
    gauges.set("saga_running", "Sagas that are neither over nor STUCK.", {{"saga", saga}},
               in_state("RUNNING") + in_state("COMPENSATING"));
    gauges.set("saga_compensating", "Sagas that are being undone.", {{"saga", saga}}, in_state("COMPENSATING"));
    gauges.set("saga_oldest_running_age_seconds", "Age of the oldest saga that is not over; 0 where there is none.",
               {{"saga", saga}}, seconds_since(told["oldest_open_at"], now));
    double stuck = 0;
    if (told.contains("stuck"))
      for (const auto& [cause, count] : told["stuck"].items()) {
        gauges.set("saga_stuck", "Sagas that wait for a person.", {{"saga", saga}, {"cause", cause}},
                   count.get<double>());
        stuck += count.get<double>();
      }
    if (stuck == 0)
      gauges.set("saga_stuck", "Sagas that wait for a person.", {{"saga", saga}, {"cause", "technical"}}, 0);
  }
  for (const auto& waiting : overview["waiting"]) {
    const Labels labels{{"step", waiting["step"].get<std::string>()}};
    gauges.set("saga_waiting", "Sagas that wait for a step.", labels, waiting["count"].get<double>());
    gauges.set("saga_oldest_waiting_age_seconds", "How long the saga that waits longest for a step has waited.", labels,
               seconds_since(waiting["oldest_since"], now));
  }
  for (const auto& participant : instances)
    if (!participant["external"].get<bool>())
      gauges.set("participant_silent", "1 where no instance of a participant answers.",
                 {{"participant", participant["participant"].get<std::string>()}}, participant["silent"] ? 1 : 0);
  const auto progress = engine.progress();
  gauges.set("saga_tracker_lag_seconds", "Age of the newest event the tracker has folded, where more are behind it.",
             {}, std::chrono::duration<double>(progress.lag).count());
  gauges.set(
      "saga_tracker_pending_events", "Events in the broker's stream that the tracker has not folded.", {},
      static_cast<double>(progress.stream_last > progress.sequence ? progress.stream_last - progress.sequence : 0));
  gauges.set("saga_tracker_rebuilding", "1 while the tracker folds the stream anew.", {}, progress.rebuild ? 1 : 0);
  return gauges.text();
}

}  // namespace quadrille::tracker
