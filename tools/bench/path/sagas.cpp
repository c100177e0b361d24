#include "path/measurements.hpp"
#include "path/watch.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <thread>

namespace quadrille::bench {
namespace {

/// Steps a second of sagas whose beginnings are all at the broker, or on their way there.
double run_sagas(Stand& stand, SagaLoad& load, std::size_t sagas) {
  const Watch ends(stand.system().nats_url("opener"), "evt.*.third.>");
  const telemetry::Stopwatch watch;
  load.publish(sagas);
  ends.await(sagas);
  return 3.0 * static_cast<double>(sagas) / watch.seconds();
}

void show_processors(const std::map<std::string, double>& before, const std::map<std::string, double>& after,
                     double steps) {
  std::string text = "  processor time a step, us:";
  for (const auto& [who, seconds] : after) {
    char part[64];
    std::snprintf(part, sizeof part, " %s %.1f", who.c_str(),
                  1e6 * (seconds - (before.contains(who) ? before.at(who) : 0)) / steps);
    text += part;
  }
  std::cerr << text << std::endl;
}

/// Of all databases, ended so far.
double commits(const Stand& stand) {
  return std::stod(stand.query("opener", "SELECT sum(xact_commit + xact_rollback) FROM pg_stat_database"));
}

}  // namespace

void measure_sagas(Stand& stand, SagaLoad& load, Figures& figures, const Extent& extent) {
  const auto name = relay_name(stand);
  stand.start_participants();
  double resting = 0;
  for (const auto* participant : participants) resting = std::max(resting, stand.memory(participant).now_megabytes);
  run_sagas(stand, load, extent.sagas / 10);  // caches, statements
  const auto before = stand.processor_seconds();
  const auto commits_before = commits(stand);
  const auto rate = run_sagas(stand, load, extent.sagas);
  const auto steps = 3.0 * static_cast<double>(extent.sagas);
  show_processors(before, stand.processor_seconds(), steps);
  std::cerr << "  transactions for 1000 steps: " << 1000 * (commits(stand) - commits_before) / steps << std::endl;
  figures.add({"sagas_" + name, "three-step sagas, " + name, rate, "steps/s", "raw.steps", ">= 0.30"});
  figures.add({"sagas_bare_" + name, "  beside bare tables", rate, "steps/s", "raw.steps_bare"});
  double most = 0;
  for (const auto* participant : participants) most = std::max(most, stand.memory(participant).peak_megabytes);
  figures.add({"memory_rest_" + name, "  memory of a participant at rest", resting, "MB"});
  figures.add({"memory_peak_" + name, "  memory of a participant at peak", most, "MB", "", "<= 64"});
  stand.stop_participants();
}

void measure_instances(Stand& stand, SagaLoad& load, Figures& figures, const Extent& extent) {
  for (std::size_t instances = 2; instances <= extent.instances_most; instances *= 2) {
    stand.start_participants(instances);
    run_sagas(stand, load, extent.sagas / 10);
    figures.add({"sagas_instances_" + std::to_string(instances),
                 "three-step sagas, " + std::to_string(instances) + " instances of each",
                 run_sagas(stand, load, extent.sagas / 2), "steps/s", "sagas_" + relay_name(stand)});
    stand.stop_participants();
  }
}

void soak(Stand& stand, SagaLoad& load, std::chrono::seconds length) {
  stand.start_participants();
  const auto rate = run_sagas(stand, load, 20'000) / 3 / 2;
  std::printf("soak: %.0f sagas/s\n%8s %12s %12s %12s %12s %8s\n", rate, "seconds", "sagas", "outbox live",
              "outbox dead", "outbox kB", "MB");
  const Watch ends(stand.system().nats_url("opener"), "evt.*.third.>");
  const auto start = std::chrono::steady_clock::now();
  auto next_line = start;
  std::size_t begun = 0;
  while (std::chrono::steady_clock::now() - start < length) {
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start;
    if (const auto due = static_cast<std::size_t>(rate * gone.count()); due > begun) {
      load.publish(due - begun);
      begun = due;
    }
    if (std::chrono::steady_clock::now() >= next_line) {
      next_line += std::chrono::seconds(30);
      const auto of = [&](const char* what) {
        return stand.query("second", std::string("SELECT ") + what +
                                         " FROM pg_stat_user_tables WHERE schemaname = 'quadrille' AND relname = "
                                         "'outbox'");
      };
      std::printf("%8.0f %12zu %12s %12s %12s %8.1f\n", gone.count(), ends.seen(), of("n_live_tup").c_str(),
                  of("n_dead_tup").c_str(), of("pg_total_relation_size(relid) / 1024").c_str(),
                  stand.memory("second").now_megabytes);
      std::fflush(stdout);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ends.await(begun);
  stand.stop_participants();
}

}  // namespace quadrille::bench
