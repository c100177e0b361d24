#include "core/envelope.hpp"
#include "core/uuid.hpp"
#include "path/measurements.hpp"
#include "runtime/batch.hpp"
#include "runtime/retry_policy.hpp"

#include <atomic>
#include <thread>

namespace quadrille::bench {
namespace {

/// Inbox claim, gate, step, append, outbox of the participant first, over deliveries made up here.
class Steps {
 public:
  Steps(Stand& stand, const SagaLoad& load)
      : load_(load),
        store_(postgres::connect({.url = stand.system().service_url("first"), .application_name = "first"})) {}

  void run(std::size_t deliveries) {
    std::vector<Delivery> batch(deliveries);
    for (auto& delivery : batch) delivery.message = load_.message();
    runtime::Batch work(part_, handler_, retry_, log_, batch);
    const auto transaction = store_->begin();
    work.run(*transaction, {}, {}, clock_.now());
  }

 private:
  const SagaLoad& load_;
  First participant_;
  runtime::Part part_{participant_};
  SystemClock clock_;
  telemetry::Log log_{"first", telemetry::Level::warn, telemetry::Format::text};
  runtime::EventHandler handler_{part_, log_};
  runtime::RetryPolicy retry_;
  std::unique_ptr<Store> store_;
};

/// How often `work` is done in a second by that many threads, each with its own.
template <class Make>
double rate(std::size_t threads, double seconds, const Make& make) {
  std::atomic<bool> stop = false;
  std::atomic<std::size_t> done = 0;
  std::vector<std::jthread> all;
  for (std::size_t i = 0; i < threads; ++i)
    all.emplace_back([&] {
      auto work = make();
      while (!stop) done += work();
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto before = done.load();
  const telemetry::Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const auto result = static_cast<double>(done - before) / watch.seconds();
  stop = true;
  return result;
}

double step_rate(Stand& stand, const SagaLoad& load, std::size_t deliveries, double seconds) {
  return rate(2, seconds, [&] {
    return [steps = std::make_shared<Steps>(stand, load), deliveries] {
      steps->run(deliveries);
      return deliveries;
    };
  });
}

}  // namespace

void measure_store(Stand& stand, SagaLoad& load, Figures& figures, const Extent& extent) {
  const auto seconds = extent.seconds / 2;
  constexpr std::size_t in_one = 100;
  const auto appends = rate(2, seconds, [&] { return [&load] { return load.record(in_one).size(); }; });
  figures.add({"append", "append of 100 events, with command and outbox", appends, "events/s", "raw.steps"});
  stand.query("opener", "TRUNCATE quadrille.outbox");
  for (const std::size_t deliveries : {std::size_t{1}, in_one, std::size_t{500}})
    figures.add({"inbox_step_" + std::to_string(deliveries),
                 "inbox claim and step, " + std::to_string(deliveries) + " in a transaction",
                 step_rate(stand, load, deliveries, seconds), "steps/s", "raw.steps"});
  stand.query("first", "TRUNCATE quadrille.outbox");
}

void measure_growth(Stand& stand, Figures& figures, const Extent& extent) {
  SagaLoad load(stand);
  std::size_t stored = std::stoull(stand.query("first", "SELECT count(*) FROM quadrille.events"));
  std::string first;
  for (std::size_t wanted = 100'000; wanted <= extent.stored_most; wanted *= 10) {
    if (wanted > stored)
      stand.query("first",
                  "WITH made AS (INSERT INTO quadrille.events (id, type, source, subject, category, key, version, "
                  "saga_id, causation_id, hops, contract, traceparent, payload) SELECT gen_random_uuid(), "
                  "'bench.first.v1.Handed', 'first', 'evt.1.first.first.Handed', 'first', gen_random_uuid()::text, 1, "
                  "g::text, '', 1, repeat('0', 64), repeat('0', 55), repeat('x', 64)::bytea FROM generate_series(1, " +
                      std::to_string(wanted - stored) +
                      ") AS g RETURNING category, key, version) "
                      "INSERT INTO quadrille.streams SELECT category, key, version FROM made");
    stand.query("first", "VACUUM ANALYZE quadrille.events");
    stored = wanted;
    const auto name = "growth_" + std::to_string(wanted);
    figures.add({name, "inbox claim and step beside " + std::to_string(wanted) + " events",
                 step_rate(stand, load, 100, extent.seconds / 2), "steps/s", first.empty() ? "inbox_step_100" : first,
                 first.empty() ? "" : ">= 0.80"});
    if (first.empty()) first = name;
  }
  stand.query("first", "TRUNCATE quadrille.outbox");
}

}  // namespace quadrille::bench
