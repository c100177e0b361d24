#include "telemetry/metrics.hpp"

#include <map>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <vector>

namespace quadrille::telemetry {
namespace {

using Names = std::vector<std::string>;

struct Description {
  std::string name;
  std::string help;
  Names labels = {};
  std::vector<Names> known = {};  ///< label values that are shown as 0 from the start, so that the first one is a rise
};

const std::vector<Names> reasons{{"technical"}, {"business"}, {"contract"}, {"configuration"}, {"overload"}};

const std::map<Counter, Description>& counters() {
  static const std::map<Counter, Description> all{
      {Counter::sagas_started, {"saga_started_total", "Sagas begun by this participant.", {"saga"}}},
      {Counter::sagas_finished,
       {"saga_finished_total",
        "Sagas ended by an event of this participant: completed, cancelled or stuck.",
        {"saga", "state"}}},
      {Counter::steps_done,
       {"step_done_total",
        "Runs of a step that were committed, by what it said; 'nothing' where it had nothing to say.",
        {"step", "event"}}},
      {Counter::step_retries,
       {"step_retries_total", "Runs of a step that failed and are tried again.", {"reason"}, reasons}},
      {Counter::messages_parked,
       {"messages_parked_total", "Messages set aside until a person decides.", {"reason"}, reasons}},
      {Counter::messages_resumed, {"messages_resumed_total", "Stuck messages that were handled after all.", {}}},
      {Counter::inbox_duplicates, {"inbox_duplicates_total", "Deliveries that were heard before and dropped."}},
      {Counter::inbox_stale,
       {"inbox_stale_total", "Deliveries older than what was applied of their stream, fenced off."}},
      {Counter::inbox_gaps, {"inbox_gaps_total", "Deliveries that came before an older one of their stream."}},
      {Counter::version_conflicts,
       {"version_conflicts_total", "Transactions done again because an aggregate had moved."}},
      {Counter::events_published, {"outbox_published_total", "Events the broker has stored."}},
      {Counter::publish_duplicates, {"outbox_duplicates_total", "Publications the broker had already and dropped."}},
      {Counter::publish_failures,
       {"outbox_publish_failures_total", "Publications without a good answer; they are sent again."}},
      {Counter::lease_changes,
       {"lease_changes_total", "Leases this process has taken or lost.", {"change"}, {{"taken"}, {"lost"}}}},
      {Counter::deadlines_fired, {"deadlines_fired_total", "Timer steps run.", {"step"}}},
      {Counter::deadlines_late, {"deadlines_late_total", "Timer steps run that came too late to matter.", {"step"}}},
      {Counter::idempotency_requests,
       {"idempotency_requests_total",
        "Commands by what their Idempotency-Key said.",
        {"result"},
        {{"new"}, {"replayed"}, {"in_progress"}, {"mismatch"}}}},
      {Counter::database_reconnects,
       {"database_reconnects_total", "Times the database was reached again after a connection was lost."}},
      {Counter::broker_reconnects,
       {"broker_reconnects_total", "Times the broker was reached again after a connection was lost."}},
  };
  return all;
}

const std::map<Gauge, Description>& gauges() {
  static const std::map<Gauge, Description> all{
      {Gauge::outbox_pending,
       {"outbox_pending", "Events that are committed and not known to be at the broker, counted up to 100000."}},
      {Gauge::outbox_oldest_age, {"outbox_oldest_age_seconds", "Age of the oldest of them; 0 where there is none."}},
      {Gauge::waiting_messages,
       {"waiting_messages", "Messages in the waiting room.", {"state"}, {{"retry"}, {"gap"}, {"behind"}, {"parked"}}}},
      {Gauge::stuck_messages,
       {"stuck_messages", "Messages parked, or of a compensation past its patience.", {"reason"}, reasons}},
      {Gauge::holds_expired, {"holds_expired", "Holds past their time that nobody has released, counted up to 1000."}},
      {Gauge::lanes_held, {"lanes_held", "Lanes this process has the lease of."}},
      {Gauge::relay_leader, {"relay_leader", "1 where this process publishes for the participant."}},
      {Gauge::slot_lag,
       {"relay_slot_lag_bytes",
        "PostgreSQL's log kept for the replication slot of this participant, whether it is read or not; 0 without "
        "one."}},
      {Gauge::consumer_pending,
       {"consumer_pending_messages",
        "Messages of a context that waited at the broker for this process when it last heard one of them.",
        {"context"}}},
      {Gauge::broker_connected, {"broker_connected", "1 while this process has its connections to NATS."}},
      {Gauge::leases_current,
       {"leases_current", "1 while the database answers in time, so that leases can be had and renewed."}},
  };
  return all;
}

struct HistogramDescription {
  Description description;
  std::vector<double> bounds;
};

const std::vector<double> fast{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
const std::vector<double> slow{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 4 * 3600, 24 * 3600};
const std::vector<double> slow_and_fast{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                                        1,     2.5,    5,     10,   30,    60,   300, 900,  3600};
const std::vector<double> sizes{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

const std::map<Histogram, HistogramDescription>& histograms() {
  static const std::map<Histogram, HistogramDescription> all{
      {Histogram::saga_duration,
       {{"saga_duration_seconds", "From the start of a saga to the event of this participant that ended it.", {"saga"}},
        slow}},
      {Histogram::step_duration,
       {{"step_duration_seconds", "Time in a step's own code, of runs that were committed.", {"step"}}, fast}},
      {Histogram::step_latency,
       {{"step_latency_seconds",
         "From the recording of the event that started a step to the commit of what it said.",
         {"step"}},
        slow_and_fast}},
      {Histogram::publish_duration,
       {{"relay_publish_duration_seconds", "From sending a wave of events to the broker's last answer."}, fast}},
      {Histogram::batch_size, {{"batch_messages", "Deliveries handled in one transaction."}, sizes}},
      {Histogram::transaction_duration, {{"transaction_duration_seconds", "From begin to commit.", {"work"}}, fast}},
  };
  return all;
}

prometheus::Labels named(const Description& description, std::span<const std::string_view> values) {
  prometheus::Labels labels;
  for (std::size_t i = 0; i < description.labels.size(); ++i) labels[description.labels[i]] = values[i];
  return labels;
}

std::vector<std::string_view> views(const Names& names) { return {names.begin(), names.end()}; }

}  // namespace

struct Metrics::Series {
  prometheus::Registry registry;
  std::map<Counter, prometheus::Family<prometheus::Counter>*> counter;
  std::map<Gauge, prometheus::Family<prometheus::Gauge>*> gauge;
  std::map<Histogram, prometheus::Family<prometheus::Histogram>*> histogram;

  /// Makes a family and those of its series that are known before anything happens.
  template <class Family, class... Arguments>
  static void show_known(Family& family, const Description& description, const Arguments&... arguments) {
    if (description.labels.empty()) family.Add({}, arguments...);
    for (const auto& values : description.known) family.Add(named(description, views(values)), arguments...);
  }
};

Metrics::Metrics(const std::string& participant) : series_(std::make_unique<Series>()) {
  const prometheus::Labels always{{"participant", participant}};
  for (const auto& [id, description] : counters()) {
    series_->counter[id] = &prometheus::BuildCounter()
                                .Name(description.name)
                                .Help(description.help)
                                .Labels(always)
                                .Register(series_->registry);
    Series::show_known(*series_->counter[id], description);
  }
  for (const auto& [id, description] : gauges()) {
    series_->gauge[id] = &prometheus::BuildGauge()
                              .Name(description.name)
                              .Help(description.help)
                              .Labels(always)
                              .Register(series_->registry);
    Series::show_known(*series_->gauge[id], description);
  }
  for (const auto& [id, histogram] : histograms()) {
    series_->histogram[id] = &prometheus::BuildHistogram()
                                  .Name(histogram.description.name)
                                  .Help(histogram.description.help)
                                  .Labels(always)
                                  .Register(series_->registry);
    Series::show_known(*series_->histogram[id], histogram.description, histogram.bounds);
  }
}

Metrics::~Metrics() = default;

void Metrics::add(Counter counter, Labels labels, double amount) const {
  series_->counter.at(counter)->Add(named(counters().at(counter), labels)).Increment(amount);
}

void Metrics::set(Gauge gauge, double value, Labels labels) const {
  series_->gauge.at(gauge)->Add(named(gauges().at(gauge), labels)).Set(value);
}

void Metrics::observe(Histogram histogram, double value, Labels labels) const {
  observe(histogram, std::span(&value, 1), labels);
}

void Metrics::observe(Histogram histogram, std::span<const double> values, Labels labels) const {
  const auto& [description, bounds] = histograms().at(histogram);
  auto& series = series_->histogram.at(histogram)->Add(named(description, labels), bounds);
  for (const auto value : values) series.Observe(value);
}

std::string Metrics::reference() {
  std::string table =
      "Every series also has the label `participant`.\n\n| metric | kind | labels | meaning |\n|---|---|---|---|\n";
  const auto row = [&](const Description& description, const char* kind) {
    std::string labels;
    for (const auto& label : description.labels) labels += (labels.empty() ? "`" : ", `") + label + "`";
    table += "| `" + description.name + "` | " + kind + " | " + labels + " | " + description.help + " |\n";
  };
  for (const auto& [id, description] : counters()) row(description, "counter");
  for (const auto& [id, description] : gauges()) row(description, "gauge");
  for (const auto& [id, histogram] : histograms()) row(histogram.description, "histogram");
  return table;
}

std::string Metrics::text() const { return prometheus::TextSerializer().Serialize(series_->registry.Collect()); }

}  // namespace quadrille::telemetry
