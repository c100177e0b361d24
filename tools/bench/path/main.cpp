#include "path/measurements.hpp"
#include "telemetry/instruments.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <thread>

namespace quadrille::bench {
namespace {

struct Choice {
  bool quick = false;
  bool json = false;
  int soak_minutes = 0;
  std::size_t stored_most = 1'000'000;
  std::vector<std::string> only;

  [[nodiscard]] bool wants(const std::string& part) const {
    return only.empty() || std::ranges::find(only, part) != only.end();
  }
};

void measure_with(bool log_tailing, const Choice& choice, const Extent& extent, Figures& figures) {
  Stand stand(log_tailing);
  SagaLoad load(stand);
  if (!log_tailing) {
    measure_postgres(stand, figures, extent);
    measure_jetstream(stand, load, figures, extent);
    if (choice.wants("naive")) measure_naive(stand, figures, extent);
    if (choice.wants("store")) measure_store(stand, load, figures, extent);
  }
  if (choice.wants("drain")) measure_drain(stand, load, figures, extent);
  if (choice.wants("sagas") || choice.wants("latency")) measure_sagas(stand, load, figures, extent);
  if (choice.wants("latency")) measure_latency(stand, load, figures, extent);
  if (log_tailing && choice.wants("instances") && choice.wants("sagas"))
    measure_instances(stand, load, figures, extent);
  if (!log_tailing && choice.wants("store")) measure_growth(stand, figures, extent);
}

void compare_with_naive(Figures& figures) {
  for (const auto* relay : {"polling", "tailing"})
    figures.add({std::string("sagas_naive_") + relay, std::string("three-step sagas, ") + relay + ", beside by hand",
                 figures.value(std::string("sagas_") + relay), "steps/s", "naive", ">= 8"});
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures the data path: starts NATS and PostgreSQL of its own, measures what they can do alone, and beside it "
      "what the framework makes of it, in the same run.\n"
      "A ratio is a figure divided by its limit; targets are of the ratio where there is one. Compare ratios, not "
      "figures: machines differ, and other work on this one does too.\n"
      "tools/bench/README.md says how to read the table.",
      "bench-path");
  Choice choice;
  app.add_flag("--quick", choice.quick, "Less of everything: under a minute, ratios a few per cent less certain");
  app.add_flag("--json", choice.json, "Figures as JSON on standard output, instead of the table");
  app.add_option("--only", choice.only,
                 "Only these parts, with the limits: naive, store, drain, sagas, latency, instances")
      ->delimiter(',')
      ->check(CLI::IsMember({"naive", "store", "drain", "sagas", "latency", "instances"}));
  app.add_option("--stored-most", choice.stored_most,
                 "Events beside which a step is measured, at most; 10000000 takes "
                 "several minutes and gigabytes more")
      ->capture_default_str();
  app.add_option("--soak", choice.soak_minutes,
                 "Measures nothing else: runs sagas at half the highest rate for that many minutes and shows dead rows "
                 "of an outbox and memory of a participant")
      ->check(CLI::Range(1, 1440));
  CLI11_PARSE(app, argc, argv);
  if (choice.soak_minutes > 0) {
    Stand stand(true);
    SagaLoad load(stand);
    soak(stand, load, std::chrono::minutes(choice.soak_minutes));
    return 0;
  }
  Extent extent{.stored_most = choice.stored_most};
  if (choice.quick)
    extent = {
        .quick = true, .sagas = 15'000, .messages = 30'000, .seconds = 2, .stored_most = 100'000, .instances_most = 2};
  Figures figures;
  measure_with(false, choice, extent, figures);
  measure_with(true, choice, extent, figures);
  if (choice.wants("naive") && choice.wants("sagas")) compare_with_naive(figures);
  std::cout << (choice.json ? figures.json() : figures.table());
  return 0;
}

}  // namespace
}  // namespace quadrille::bench

int main(int argc, char** argv) {
  try {
    return quadrille::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "bench-path: " << error.what() << std::endl;
    return 2;
  }
}
