// Measures the tracker: how fast it reads, how far it lags behind a steady load, how fast it lists a million sagas.
#include "bench/process_memory.hpp"
#include "core/clock.hpp"
#include "core/envelope.hpp"
#include "core/time_text.hpp"
#include "core/uuid.hpp"
#include "dev/system.hpp"
#include "embedded/private_file.hpp"
#include "embedded/probe.hpp"
#include "jetstream/stream_follower.hpp"
#include "saga/tracker_client.hpp"
#include "shop/load.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace quadrille::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Steady = std::chrono::steady_clock;

constexpr std::size_t ended_templates = 40;
constexpr std::size_t waiting_templates = 10;

double seconds_since(Steady::time_point began) { return std::chrono::duration<double>(Steady::now() - began).count(); }

struct Options {
  std::size_t backlog = 20'000;                          ///< sagas that are there when the tracker starts
  std::size_t listed = 1'000'000;                        ///< sagas in the list
  std::chrono::seconds steady{10};                       ///< of load at each rate
  std::vector<std::size_t> rates{100, 250, 500, 1'000};  ///< sagas a second
};

/// The shop with its tracker, and the recorded events of sagas that it has really run, to be repeated under other ids.
class Site {
 public:
  Site() {
    const auto opening = shop::usual_opening();
    shop::open_shop(system_, opening);
    system_.start_all();
    system_.await_all_ready();
    shop::Load load(system_, opening, 1);
    load.place(ended_templates);
    const auto all_over = [&] {
      const auto sagas = overview()["sagas"];
      if (!sagas.contains("checkout")) return false;
      const auto& states = sagas["checkout"]["states"];
      return states.value("COMPLETED", 0U) + states.value("CANCELLED", 0U) == ended_templates;
    };
    if (!embedded::await(all_over, std::chrono::seconds(60))) throw std::runtime_error("the shop's sagas do not end");
    system_.process("shipping").signal(SIGSTOP);
    load.place(waiting_templates);
    if (!embedded::await([&] { return overview()["waiting"].size() == 1; }, std::chrono::seconds(60)))
      throw std::runtime_error("no saga waits for shipping: " + overview().dump());
    system_.process("shipping").signal(SIGCONT);
    read_templates();
    static_cast<void>(system_.stop_services());
  }

  [[nodiscard]] Json get(const std::string& path, const saga::TrackerClient::Query& query = {}) const {
    return saga::TrackerClient("http://" + system_.http("tracker"), "", "").get(path, query);
  }
  [[nodiscard]] Json overview() const { return get("/api/overview"); }
  void start_tracker() {
    system_.start("tracker");
    system_.await_ready("tracker");
  }
  /// Megabytes that the tracker's process has, without files that are mapped.
  [[nodiscard]] double tracker_memory() { return process_memory(system_.process("tracker").pid(), "RssAnon"); }
  void stop_tracker() { static_cast<void>(system_.stop_services()); }
  [[nodiscard]] std::uint64_t last() const { return jetstream::StreamFollower(nats(), "EVT", "evt.>").look()->last; }
  [[nodiscard]] jetstream::JetStreamSettings nats() const {
    jetstream::JetStreamSettings settings;
    settings.url = system_.nats_url("order");
    settings.client_name = "order";
    return settings;
  }
  void sql(const std::string& text) const {
    pqxx::connection connection(system_.owner_url("tracker"));
    pqxx::nontransaction work(connection);
    work.exec(text);
  }
  /// The messages of a saga that ended, as if it had run just now.
  [[nodiscard]] std::vector<Message> another_saga() {
    const auto& from = templates_[next_++ % templates_.size()];
    const auto now = SystemClock().now();
    const auto saga = new_time_uuid(now);
    std::map<std::string, std::string> ids;
    for (const auto& event : from) ids[event.id] = new_uuid();
    std::vector<Message> messages;
    for (auto event : from) {
      event.id = ids.at(event.id);
      if (const auto cause = ids.find(event.causation_id); cause != ids.end()) event.causation_id = cause->second;
      event.saga_id = saga;
      event.stream.key = saga;
      event.recorded_at = now;
      messages.push_back(to_message(event));
    }
    return messages;
  }
  [[nodiscard]] double events_a_saga() const {
    std::size_t events = 0;
    for (const auto& saga : templates_) events += saga.size();
    return static_cast<double>(events) / static_cast<double>(templates_.size());
  }

 private:
  void read_templates() {
    std::map<std::string, std::vector<Event>> sagas;
    jetstream::read_stream(nats(), "EVT", "evt.>", [&](const Delivery& delivery) {
      const auto event = to_event(delivery.message);
      if (!event.saga_id.empty()) sagas[event.saga_id].push_back(event);
    });
    for (auto& [id, events] : sagas)
      if (std::ranges::any_of(events, [](const Event& event) { return event.type.ends_with(".OrderConfirmed"); }))
        templates_.push_back(std::move(events));
    if (templates_.empty()) throw std::runtime_error("no saga of the shop was completed");
  }
  static std::vector<dev::ServiceSpec> services(const fs::path& folder) {
    const auto binaries = fs::canonical("/proc/self/exe").parent_path();
    auto specs = dev::shop_services(binaries);
    specs.push_back(dev::tracker_service(binaries, folder));
    return specs;
  }

  const embedded::TemporaryFolder folder_;
  dev::System system_{{.folder = folder_.path(), .services = services(folder_.path())}};
  std::vector<std::vector<Event>> templates_;
  std::size_t next_ = 0;
};

/// Publishes sagas as they would come: many, with their events in order.
void publish(Broker& broker, Site& site, std::size_t sagas) {
  constexpr std::size_t at_once = 500;
  for (std::size_t done = 0; done < sagas; done += at_once) {
    std::vector<std::vector<Message>> waves;
    for (std::size_t i = done; i < std::min(sagas, done + at_once); ++i) {
      auto messages = site.another_saga();
      waves.resize(std::max(waves.size(), messages.size()));
      for (std::size_t wave = 0; wave < messages.size(); ++wave) waves[wave].push_back(std::move(messages[wave]));
    }
    for (const auto& wave : waves)
      if (std::ranges::count(broker.publish(wave), Published::stored) != static_cast<std::ptrdiff_t>(wave.size()))
        throw std::runtime_error("the broker did not take every message");
  }
}

/// Messages a second that nobody folds: what a reader could reach at most.
double raw_read_rate(const Site& site, std::uint64_t from, std::uint64_t last) {
  jetstream::StreamFollower follower(site.nats(), "EVT", "evt.>");
  follower.start_at(from + 1);
  const auto began = Steady::now();
  for (std::uint64_t at = from; at < last;)
    for (const auto& delivery : follower.receive(2'000, std::chrono::seconds(5))) at = delivery.sequence;
  return static_cast<double>(last - from) / seconds_since(began);
}

struct Memory {
  double at_a_tenth = 0;
  double at_most = 0;
};

/// Until the tracker has read up to `last`, of so many events that it has not.
Memory catch_up(Site& site, std::uint64_t last, double events) {
  Memory memory;
  std::uint64_t read = 0;
  while (read < last) {
    const auto moved = [&] { return std::exchange(read, site.overview()["tracker"]["sequence"]) != read; };
    if (!embedded::await(moved, std::chrono::minutes(1)))
      throw std::runtime_error("the tracker stands still at " + std::to_string(read) + " of " + std::to_string(last));
    const auto now = site.tracker_memory();
    memory.at_most = std::max(memory.at_most, now);
    if (memory.at_a_tenth == 0 && static_cast<double>(last - read) < 0.9 * events) memory.at_a_tenth = now;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return memory;
}

Json measure_backlog(Site& site, Broker& broker, std::size_t sagas) {
  const auto first = site.last();
  const auto began = Steady::now();
  publish(broker, site, sagas);
  const auto publishing = seconds_since(began);
  const auto last = site.last();
  const auto events = static_cast<double>(last - first);
  const auto raw = raw_read_rate(site, first, last);
  site.start_tracker();
  const auto started = Steady::now();
  const auto at_start = site.overview()["tracker"]["sequence"].get<std::uint64_t>();
  const auto memory = catch_up(site, last, events);
  const auto rate = static_cast<double>(last - at_start) / seconds_since(started);
  return {{"sagas", sagas},
          {"published_a_second", events / publishing},
          {"read_a_second", raw},
          {"folded_a_second", rate},
          {"ratio", rate / raw},
          {"megabytes_at_a_tenth", memory.at_a_tenth},
          {"megabytes_at_most", memory.at_most}};
}

/// Sagas at a steady rate; how long the tracker takes to know of what is published.
Json measure_lag(Site& site, Broker& broker, std::size_t rate, std::chrono::seconds length) {
  constexpr std::chrono::milliseconds tick{20};
  const auto base = site.last();
  std::vector<std::pair<std::uint64_t, Steady::time_point>> published;  // up to which sequence, when
  std::mutex mutex;
  std::uint64_t sequence = base;
  std::jthread publisher([&] {
    std::size_t done = 0;
    const auto began = Steady::now();
    for (auto next = began; Steady::now() < began + length; next += tick) {
      std::this_thread::sleep_until(next);
      const auto due = static_cast<std::size_t>(seconds_since(began) * static_cast<double>(rate));
      std::vector<Message> messages;
      for (; done < due; ++done) std::ranges::move(site.another_saga(), std::back_inserter(messages));
      if (messages.empty()) continue;
      static_cast<void>(broker.publish(messages));
      const std::scoped_lock lock(mutex);
      published.emplace_back(sequence += messages.size(), Steady::now());
    }
  });
  std::vector<double> lags;
  const auto end = Steady::now() + length;
  while (Steady::now() < end) {
    const auto folded = site.overview()["tracker"]["sequence"].get<std::uint64_t>();
    {
      const std::scoped_lock lock(mutex);
      const auto oldest = std::ranges::find_if(published, [&](const auto& one) { return one.first > folded; });
      lags.push_back(oldest == published.end() ? 0 : seconds_since(oldest->second) * 1'000);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  publisher.join();
  const auto sent = static_cast<double>(sequence - base);
  std::ranges::sort(lags);
  return {{"sagas_a_second", rate},
          {"published_a_second", sent / static_cast<double>(length.count()) / site.events_a_saga()},
          {"lag_ms_p50", lags[lags.size() / 2]},
          {"lag_ms_p99", lags[lags.size() * 99 / 100]},
          {"lag_ms_max", lags.back()}};
}

/// As many as in a busy month, made from those that the tracker has written itself: of 200, 195 ended, 4 wait, 1 STUCK.
void multiply(const Site& site, std::size_t sagas) {
  site.sql(
      "INSERT INTO tracker_1.saga SELECT lpad(n::text, 8, '0') || '-0000-7000-8000-000000000000', 0, t.saga, 'o-' || "
      "n, "
      "CASE WHEN n % 200 = 0 THEN 5 ELSE t.state END, t.started - n::bigint * 1000000, t.ended, t.deadline, CASE WHEN "
      "n % 200 "
      "= 0 "
      "THEN 1 END, CASE WHEN n % 200 = 0 THEN 'the card network is away' ELSE '' END, false, "
      "replace(replace(t.summary, "
      "t.saga_id, lpad(n::text, 8, '0') || '-0000-7000-8000-000000000000'), t.key, 'o-' || n) FROM "
      "generate_series(1, " +
      std::to_string(sagas) +
      ") AS n JOIN ((SELECT *, false AS waits FROM tracker_1.saga WHERE state = 3 LIMIT 1) UNION ALL (SELECT *, true "
      "FROM "
      "tracker_1.saga WHERE state = 1 LIMIT 1)) AS t ON t.waits = (n % 50 = 1)");
  site.sql(
      "INSERT INTO tracker_1.waiting SELECT saga_id, part, 'shipping.Book', started FROM tracker_1.saga s WHERE state "
      "= 1 "
      "AND NOT EXISTS (SELECT FROM tracker_1.waiting w WHERE w.saga_id = s.saga_id AND w.part = s.part)");
  site.sql("ANALYZE tracker_1.saga, tracker_1.waiting");  // what PostgreSQL does by itself soon after so many rows
}

Json time_of(const Site& site, const std::string& name, const std::string& path,
             const saga::TrackerClient::Query& query) {
  std::vector<double> times;
  for (int i = 0; i < 20; ++i) {
    const auto began = Steady::now();
    static_cast<void>(site.get(path, query));
    times.push_back(seconds_since(began) * 1'000);
  }
  std::ranges::sort(times);
  return {{"question", name}, {"ms_p50", times[times.size() / 2]}, {"ms_max", times.back()}};
}

Json measure_list(const Site& site) {
  auto questions = Json::array();
  const auto list = [&](const std::string& name, const saga::TrackerClient::Query& query) {
    questions.push_back(time_of(site, name, "/api/sagas", query));
  };
  list("all, oldest first", {});
  list("all, newest first", {{"newest", "1"}});
  list("STUCK", {{"state", "STUCK"}});
  list("STUCK, technical", {{"class", "technical"}});
  list("STUCK, error has 'network'", {{"error", "network"}});
  list("STUCK, error nobody has", {{"error", "volcano"}});
  list("waiting for shipping.Book", {{"step", "shipping.Book"}});
  list("waiting for a step that nobody waits for", {{"step", "payment.Capture"}});
  list("key o-777777", {{"key", "o-777777"}});
  list("key o-7", {{"key", "o-7"}});
  list("key that nobody has", {{"key", "volcano"}});
  list("saga id 00012345", {{"id", "00012345"}});
  list("RUNNING, older than 1 h", {{"state", "RUNNING"}, {"older_than", "1h"}});
  list("saga type, COMPLETED", {{"saga", "checkout"}, {"state", "COMPLETED"}});
  list("saga type that nobody has", {{"saga", "volcano"}});
  auto after = site.get("/api/sagas", {{"newest", "1"}, {"limit", "1000"}})["next"].get<std::string>();
  for (int page = 0; page < 50; ++page)
    after = site.get("/api/sagas", {{"newest", "1"}, {"limit", "1000"}, {"after", after}})["next"];
  list("behind 51,000 others", {{"newest", "1"}, {"after", after}});
  questions.push_back(time_of(site, "how many STUCK", "/api/count", {{"state", "STUCK"}}));
  questions.push_back(time_of(site, "how many in all", "/api/count", {}));
  questions.push_back(time_of(site, "overview", "/api/overview", {}));
  return questions;
}

void print(const Json& figures) {
  const auto& backlog = figures["backlog"];
  std::printf("backlog of %zu sagas     events/s\n", backlog["sagas"].get<std::size_t>());
  std::printf("  published               %10.0f\n", backlog["published_a_second"].get<double>());
  std::printf("  read, nothing done      %10.0f  the limit\n", backlog["read_a_second"].get<double>());
  std::printf("  read and told           %10.0f  %.2f of it\n", backlog["folded_a_second"].get<double>(),
              backlog["ratio"].get<double>());
  std::printf("its memory %.1f MB when a tenth was told, at most %.1f MB\n\n",
              backlog["megabytes_at_a_tenth"].get<double>(), backlog["megabytes_at_most"].get<double>());
  std::printf("%14s %14s %12s %12s %12s\n", "sagas/s asked", "sagas/s came", "lag p50 ms", "lag p99 ms", "lag max ms");
  for (const auto& one : figures["lag"])
    std::printf("%14zu %14.0f %12.0f %12.0f %12.0f\n", one["sagas_a_second"].get<std::size_t>(),
                one["published_a_second"].get<double>(), one["lag_ms_p50"].get<double>(),
                one["lag_ms_p99"].get<double>(), one["lag_ms_max"].get<double>());
  std::printf("\n%-44s %8s %8s   of %zu sagas\n", "asked for", "ms p50", "ms max",
              figures["listed"].get<std::size_t>());
  for (const auto& one : figures["list"])
    std::printf("%-44s %8.1f %8.1f\n", one["question"].get<std::string>().c_str(), one["ms_p50"].get<double>(),
                one["ms_max"].get<double>());
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures the tracker with real servers that it starts itself: a backlog, a steady load, and a list of a million "
      "sagas.");
  bool quick = false;
  bool as_json = false;
  app.add_flag("--quick", quick, "Fewer sagas, under a minute");
  std::optional<std::size_t> backlog;
  app.add_option(
         "--backlog", backlog,
         "Sagas, of eight events each, that are there when the tracker starts; 1250000 take half an hour and 20 "
         "GB of disk")
      ->check(CLI::PositiveNumber);
  app.add_flag("--json", as_json, "Figures as JSON");
  CLI11_PARSE(app, argc, argv);
  Options options;
  if (quick) options = {5'000, 100'000, std::chrono::seconds(3), {100, 500}};
  if (backlog) options.backlog = *backlog;
  try {
    std::cerr << "starting the shop ...\n";
    Site site;
    auto broker = jetstream::connect(site.nats());
    Json figures;
    std::cerr << "backlog ...\n";
    figures["backlog"] = measure_backlog(site, *broker, options.backlog);
    figures["lag"] = Json::array();
    for (const auto rate : options.rates) {
      std::cerr << rate << " sagas a second ...\n";
      figures["lag"].push_back(measure_lag(site, *broker, rate, options.steady));
    }
    std::cerr << "listing " << options.listed << " sagas ...\n";
    site.stop_tracker();
    multiply(site, options.listed);
    site.start_tracker();
    figures["listed"] = options.listed;
    figures["list"] = measure_list(site);
    if (as_json)
      std::cout << figures.dump(2) << "\n";
    else
      print(figures);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "bench-tracker: " << error.what() << "\n";
    return 2;
  }
}

}  // namespace
}  // namespace quadrille::bench

int main(int argc, char** argv) { return quadrille::bench::run(argc, argv); }
