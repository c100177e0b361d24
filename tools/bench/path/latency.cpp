#include "path/measurements.hpp"
#include "path/watch.hpp"
#include "postgres/postgres_store.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <thread>

namespace quadrille::bench {
namespace {

/// Milliseconds below which that part of them is.
double quantile(std::vector<double>& all, double part) {
  if (all.empty()) throw std::runtime_error("no latency was measured");
  const auto at = std::min(all.size() - 1, static_cast<std::size_t>(part * static_cast<double>(all.size())));
  std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(at));
  return all[at];
}

/// When first's steps ran, by key: as they wrote it into their events.
std::map<std::string, std::int64_t> heard(Stand& stand) {
  const auto store = postgres::connect({.url = stand.system().service_url("first"), .application_name = "first"});
  std::map<std::string, std::int64_t> times;
  EventLog::Position position;
  for (;;) {
    const auto events = store->begin()->events().read_all(position, 5'000);
    for (const auto& [at, event] : events) {
      position = at;
      ::bench::first::v1::Handed handed;
      if (handed.ParseFromString(event.payload)) times[event.stream.key] = handed.heard_at();
    }
    if (events.size() < 5'000) return times;
  }
}

}  // namespace

void measure_latency(Stand& stand, SagaLoad& load, Figures& figures, const Extent& extent) {
  const auto name = relay_name(stand);
  stand.start_participants();
  load.start_relay();
  const auto rate = figures.value("sagas_" + name) / 3 / 10;
  const auto sagas = static_cast<std::size_t>(rate * (extent.quick ? 3 : 10));
  std::map<std::string, std::int64_t> committed;
  constexpr std::size_t to_warm_up = 200;
  const Watch ends(stand.system().nats_url("opener"), "evt.*.third.>", true);
  for (std::size_t i = 0; i < to_warm_up; ++i) load.begin();
  ends.await(to_warm_up);
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < sagas; ++i) {
    std::this_thread::sleep_until(start + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                              std::chrono::duration<double>(static_cast<double>(i) / rate)));
    const auto key = load.begin();
    committed[key] = monotonic();
  }
  ends.await(to_warm_up + sagas);
  std::vector<double> hop;
  std::vector<double> whole;
  const auto steps = heard(stand);
  for (const auto& [key, at] : ends.times())
    if (committed.contains(key)) whole.push_back(static_cast<double>(at - committed.at(key)) / 1e6);
  for (const auto& [key, at] : committed)
    if (const auto step = steps.find(key); step != steps.end())
      hop.push_back(static_cast<double>(step->second - at) / 1e6);
  const double slack = stand.log_tailing() ? 1 : 2;
  const auto below = [&](double limit) { return "<= " + std::to_string(static_cast<int>(limit * slack)); };
  const auto title = "commit to handler, " + name + ", ";
  figures.add({"latency_p50_" + name, title + "p50", quantile(hop, 0.50), "ms", "", below(2)});
  figures.add({"latency_p99_" + name, title + "p99", quantile(hop, 0.99), "ms", "", below(10)});
  figures.add({"latency_p999_" + name, title + "p99.9", quantile(hop, 0.999), "ms"});
  figures.add({"saga_p50_" + name, "whole saga, " + name + ", p50", quantile(whole, 0.50), "ms", "latency_p50_" + name,
               "<= 4"});
  figures.add({"saga_p99_" + name, "whole saga, " + name + ", p99", quantile(whole, 0.99), "ms"});
  load.stop_relay();
  stand.stop_participants();
}

}  // namespace quadrille::bench
