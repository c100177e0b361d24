#pragma once

#include "core/clock.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "postgres/postgres_store.hpp"
#include "telemetry/log.hpp"
#include "tracker/census.hpp"
#include "tracker/tables.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace quadrille::tracker {

class Choreographies;
class Fold;

struct EngineSettings {
  jetstream::JetStreamSettings nats;
  postgres::PostgresSettings database;
  std::chrono::hours keep_finished{24 * 30};  ///< how long sagas that are over stay in the list
};

/// How far the tracker is.
struct Progress {
  std::uint64_t sequence = 0;        ///< read and folded
  std::uint64_t stream_last = 0;     ///< the newest of the broker's stream
  std::chrono::milliseconds lag{0};  ///< age of the oldest event that is known and not folded; 0 when there is none
  bool broker = false;               ///< it answers
  bool database = false;
  int generation = 0;
  struct Rebuild {
    std::uint64_t sequence = 0;
    std::uint64_t until = 0;
    TimePoint started_at{};  ///< or gone on with
  };
  std::optional<Rebuild> rebuild;
  std::uint64_t contracts = 1;  ///< grows whenever another contract is known
  std::uint64_t moves = 0;      ///< grows whenever the tables have changed
};

/// Reads the broker's stream and keeps the tables up, in a thread of its own. A rebuild folds the stream into tables
/// beside the served ones, which stay up to date meanwhile, and takes their place when it has caught up; interrupted,
/// also by the end of the process, it goes on where it was. Never decides anything.
class Engine {
 public:
  Engine(EngineSettings settings, const Clock& clock, const telemetry::Log& log);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Asks for a rebuild from message `from` of the stream on; nothing happens while one is going on. What the served
  /// tables know from before that message is taken over; from 1 on, nothing is. 1 <= from <= progress().sequence + 1.
  void rebuild(std::uint64_t from) { rebuild_from_ = from; }
  [[nodiscard]] Progress progress() const;
  [[nodiscard]] Census::Counts counts() const { return census_.counts(); }
  /// The tables that are served now. The answer keeps them usable until the reader lets go of it. Throws Error(retry)
  /// while the database has not answered yet.
  [[nodiscard]] std::shared_ptr<Tables> served() const;
  /// Waits until the tables have changed since `moves`, at most this long.
  [[nodiscard]] std::uint64_t await_move(std::uint64_t moves, std::chrono::milliseconds longest) const;

 private:
  void run(const std::stop_token& stopping);
  /// The generation of a rebuild that was interrupted, to be gone on with.
  std::optional<int> open();
  [[nodiscard]] std::unique_ptr<Fold> begin_rebuild(int generation, Choreographies& choreographies, const Fold& live);
  [[nodiscard]] int new_generation(const Fold& live, std::uint64_t from);
  void work(const std::stop_token& stopping);
  void serve(std::shared_ptr<Tables> tables);
  void advance(const std::function<void(Progress&)>& change);

  const EngineSettings settings_;
  const Clock& clock_;
  const telemetry::Log& log_;
  Census census_;
  postgres::Pool pool_;
  std::atomic<std::uint64_t> rebuild_from_{0};  ///< 0: none is wanted
  mutable std::mutex mutex_;
  mutable std::condition_variable moved_;
  Progress progress_;
  std::shared_ptr<Tables> served_;
  std::jthread worker_;
};

}  // namespace quadrille::tracker
