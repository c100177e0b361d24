#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace quadrille::telemetry {

/// The series of every service. What each means, its unit and its labels: the table in metrics.cpp, and the HELP lines
/// of /metrics. Labels have few values, all known from the contract: never an id, a key or a text from outside.
enum class Counter {
  sagas_started,         ///< saga
  sagas_finished,        ///< saga, state
  steps_done,            ///< step, event
  step_retries,          ///< reason
  messages_parked,       ///< reason
  messages_resumed,      ///< how
  inbox_duplicates,      //
  inbox_stale,           //
  inbox_gaps,            //
  version_conflicts,     //
  events_published,      //
  publish_duplicates,    //
  publish_failures,      //
  lease_changes,         ///< change
  deadlines_fired,       ///< step
  deadlines_late,        ///< step
  idempotency_requests,  ///< result
  database_reconnects,   //
  broker_reconnects,     //
};
enum class Gauge {
  outbox_pending,     //
  outbox_oldest_age,  //
  waiting_messages,   ///< state
  stuck_messages,     ///< reason
  holds_expired,      //
  lanes_held,         //
  relay_leader,       //
  slot_lag,           //
  consumer_pending,   ///< context
  broker_connected,   //
  leases_current,     //
};
enum class Histogram {
  saga_duration,         ///< saga
  step_duration,         ///< step
  step_latency,          ///< step
  publish_duration,      //
  batch_size,            //
  transaction_duration,  ///< work
};

/// Counts and measures of one process, for Prometheus to scrape. Thread-safe.
class Metrics {
 public:
  /// Values of the series' labels, in the order of their names.
  using Labels = std::initializer_list<std::string_view>;

  /// `participant` is a label of every series.
  explicit Metrics(const std::string& participant);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  void add(Counter counter, Labels labels = {}, double amount = 1) const;
  void set(Gauge gauge, double value, Labels labels = {}) const;
  void observe(Histogram histogram, double value, Labels labels = {}) const;
  void observe(Histogram histogram, std::span<const double> values, Labels labels) const;

  /// Everything in Prometheus's text format.
  [[nodiscard]] std::string text() const;
  /// What all of them mean, as a table in Markdown.
  [[nodiscard]] static std::string reference();

 private:
  struct Series;
  std::unique_ptr<Series> series_;
};

}  // namespace quadrille::telemetry
