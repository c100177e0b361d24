// Measures reading recorded events, each figure beside what nats.c or PostgreSQL alone take in the same run.
#include "archive/archive.hpp"
#include "archive/writer.hpp"
#include "bench/process_memory.hpp"
#include "cases/collect.hpp"
#include "core/envelope.hpp"
#include "embedded/nats_server.hpp"
#include "embedded/postgres_server.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "migrate/migrate.hpp"
#include "payment/payment.hpp"
#include "postgres/postgres_store.hpp"
#include "replay/raw.hpp"
#include "replay/synthetic.hpp"
#include "traffic/sources.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <malloc.h>
#include <random>
#include <unistd.h>
#include <unordered_map>

namespace quadrille::bench {
namespace {

namespace payment = ::shop::payment;

struct Figure {
  std::string what;
  std::string unit;
  double value = 0;
  double limit = 0;   ///< of the machine, in the same run; 0: none
  double target = 0;  ///< share of the limit; without one, the most the value may be
  [[nodiscard]] double ratio() const { return limit == 0 ? 0 : value / limit; }
  [[nodiscard]] bool met() const { return limit == 0 ? value <= target : ratio() >= target; }
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double own_memory() { return process_memory(::getpid(), "RssAnon"); }

/// Folds every payment, and lets go of those that are over.
class Folding {
 public:
  void take(const Event& event) {
    ++events_;
    if (event.stream.category != "payment") return;
    auto& state = payments_[event.stream.key];
    if (event.type.ends_with("PaymentAuthorized")) {
      payment::v1::PaymentAuthorized authorized;
      if (authorized.ParseFromString(event.payload)) state.apply(authorized);
    } else {
      payment::v1::PaymentCaptured captured;
      if (captured.ParseFromString(event.payload)) state.apply(captured);
    }
    if (state.stage != payment::Stage::captured) return;
    ++captured_;
    payments_.erase(event.stream.key);
  }
  void expect(std::uint64_t sagas) const {
    if (captured_ != sagas || events_ != sagas * events_a_saga)
      throw std::runtime_error("read " + std::to_string(events_) + " events, captured " + std::to_string(captured_));
  }

 private:
  std::unordered_map<std::string, payment::Payment> payments_;
  std::uint64_t events_ = 0;
  std::uint64_t captured_ = 0;
};

double time_to_fold(const traffic::Source& source, std::uint64_t sagas) {
  Folding folding;
  const auto start = std::chrono::steady_clock::now();
  traffic::read(source, [&](const Event& event) { folding.take(event); });
  const auto spent = seconds_since(start);
  folding.expect(sagas);
  return spent;
}

/// The best of three: what else runs on the machine only ever makes it slower.
template <class Measure>
double best(Measure measure) {
  return std::min({measure(), measure(), measure()});
}

Figure from_stream(std::uint64_t sagas) {
  embedded::TemporaryFolder folder;
  const embedded::NatsServer server({.folder = folder.path()});
  const auto broker = jetstream::connect({.url = server.url(), .client_name = "bench"});
  broker->ensure({});
  std::vector<Message> messages;
  const auto flush = [&] {
    for (const auto answer : broker->publish(messages))
      if (answer != Published::stored) throw std::runtime_error("the stream was not filled");
    messages.clear();
  };
  constexpr std::size_t together = 4'000;
  synthesize(sagas, [&](const Event& event) {
    messages.push_back(to_message(event));
    if (messages.size() == together) flush();
  });
  flush();
  traffic::Source source;
  source.nats_url = server.url();
  const auto events = static_cast<double>(sagas * events_a_saga);
  const auto raw = best([&] { return raw_fetch(server.url(), sagas * events_a_saga); });
  const auto ours = best([&] { return time_to_fold(source, sagas); });
  return {"stream read and folded", "events/s", events / ours, events / raw, 0.6};
}

Figure from_event_store(std::uint64_t sagas) {
  embedded::TemporaryFolder folder;
  const embedded::PostgresServer server({.folder = folder.path(), .settings = {{"fsync", "off"}}});
  const auto url = server.conninfo("postgres");
  static_cast<void>(migrate::apply(url, migrate::find(QUADRILLE_MIGRATIONS, "bench"), false));
  const auto store = postgres::connect({.url = url, .application_name = "bench"});
  std::vector<Event> events;
  const auto flush = [&] {
    const auto transaction = store->begin();
    transaction->events().append(events);
    transaction->commit();
    events.clear();
  };
  constexpr std::size_t together = 2'000;
  synthesize(sagas, [&](const Event& event) {
    events.push_back(event);
    if (events.size() == together) flush();
  });
  flush();
  traffic::Source source;
  source.database_url = url;
  const auto rows = static_cast<double>(sagas * events_a_saga);
  const auto raw = best([&] {
    const auto copy = raw_copy(url);
    if (copy.rows != sagas * events_a_saga) throw std::runtime_error("the event store was not filled");
    return copy.seconds;
  });
  const auto ours = best([&] { return time_to_fold(source, sagas); });
  return {"event store read and folded", "events/s", rows / ours, rows / raw, 0.6};
}

void from_archive(std::uint64_t sagas, std::vector<Figure>& figures) {
  embedded::TemporaryFolder folder;
  const auto file = folder.path() / "bench.qarc";
  malloc_trim(0);  // what was measured before has given back what it had
  const auto empty = own_memory();
  double memory = 0;
  {
    archive::Writer writer(file, {});
    std::uint64_t count = 0;
    constexpr std::uint64_t look_every = 1U << 18U;
    synthesize(sagas, [&](const Event& event) {
      writer.add(event);
      if (++count % look_every == 0) memory = std::max(memory, own_memory() - empty);
    });
    writer.finish();
  }
  figures.push_back({"archive written, memory grows by", "MB", memory, 0, 200});
  std::mt19937_64 random(1);
  double slowest = 0;
  constexpr int searches = 200;
  for (int i = 0; i < searches; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const archive::Archive archive(file);  // a command opens it each time
    const auto found = archive.saga(saga_id_of(random() % sagas));
    slowest = std::max(slowest, seconds_since(start));
    if (found.size() != events_a_saga) throw std::runtime_error("a saga was not found in the archive");
  }
  constexpr double milli = 1'000;
  figures.push_back(
      {"a saga found among " + std::to_string(sagas) + ", slowest of 200", "ms", slowest * milli, 0, 100});

  traffic::Source source;
  source.archive = file.string();
  const auto spent = time_to_fold(source, sagas);
  const auto bytes = static_cast<double>(std::filesystem::file_size(file));
  figures.push_back(
      {"archive read and folded, bytes an event", "bytes", bytes / static_cast<double>(sagas * events_a_saga), 0, 200});
  figures.push_back({"archive read and folded, time an event", "us",
                     spent * milli * milli / static_cast<double>(sagas * events_a_saga), 0, 10});

  // Rebuilding cases for what-if: what it takes at its tenth is what it takes at its end.
  double early = 0;
  double late = 0;
  std::uint64_t count = 0;
  cases::collect_all(source, {}, [&](const casefile::v1::Case&, std::uint64_t) {
    ++count;
    if (count == sagas / 10) early = own_memory();
    if (count == sagas) late = own_memory();
  });
  if (count != sagas) throw std::runtime_error("collected " + std::to_string(count) + " sagas");
  figures.push_back({"memory from a tenth of the sagas to all", "MB", std::max(0.0, late - early), 0, 32});
}

void print(const std::vector<Figure>& figures) {
  std::printf("%-52s %12s %-9s %12s %7s %9s\n", "", "measured", "", "limit", "ratio", "target");
  for (const auto& one : figures) {
    const bool share = one.limit > 0;
    std::printf("%-52s %12.1f %-9s %12s %7s %s%.*f  %s\n", one.what.c_str(), one.value, one.unit.c_str(),
                share ? std::to_string(static_cast<std::uint64_t>(one.limit)).c_str() : "-",
                share ? std::to_string(one.ratio()).substr(0, 4).c_str() : "-", share ? ">= " : "<= ", share ? 2 : 0,
                one.target, one.met() ? "met" : "NOT MET");
  }
}

std::string json(const std::vector<Figure>& figures) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& one : figures)
    list.push_back({{"what", one.what},
                    {"value", one.value},
                    {"unit", one.unit},
                    {"limit", one.limit},
                    {"ratio", one.ratio()},
                    {"target", one.target},
                    {"met", one.met()}});
  return list.dump(2) + "\n";
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures reading recorded events from a stream, an event store and an archive, beside what fetching or "
      "copying them alone takes.\nExit code: 0 every target is met, 1 one is not.");
  bool quick = false;
  bool as_json = false;
  app.add_flag("--quick", quick, "A twentieth of the events");
  std::string only;
  app.add_flag("--json", as_json, "Figures as JSON");
  app.add_option("--only", only, "stream, store or archive")->check(CLI::IsMember({"stream", "store", "archive"}));
  CLI11_PARSE(app, argc, argv);
  const std::uint64_t sagas = quick ? 10'000 : 100'000;
  const std::uint64_t archived = quick ? 50'000 : 1'700'000;  // ten million events
  std::vector<Figure> figures;
  const auto wanted = [&](const std::string& what, std::uint64_t count) {
    if (!only.empty() && only != what) return false;
    std::cerr << "measuring " << what << ": " << count * events_a_saga << " events ...\n";
    return true;
  };
  if (wanted("stream", sagas)) figures.push_back(from_stream(sagas));
  if (wanted("store", sagas)) figures.push_back(from_event_store(sagas));
  if (wanted("archive", archived)) from_archive(archived, figures);
  if (as_json)
    std::cout << json(figures);
  else
    print(figures);
  return std::ranges::all_of(figures, &Figure::met) ? 0 : 1;
}

}  // namespace
}  // namespace quadrille::bench

int main(int argc, char** argv) { return quadrille::bench::run(argc, argv); }
