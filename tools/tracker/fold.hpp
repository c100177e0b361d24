#pragma once

#include "jetstream/stream_follower.hpp"
#include "tracker/engine.hpp"
#include "tracker/projection.hpp"

#include <chrono>
#include <memory>
#include <optional>

namespace quadrille::tracker {

/// One generation of tables being fed from the broker's stream. Used by one thread.
class Fold {
 public:
  /// `census` is null for tables that are not served yet.
  Fold(const EngineSettings& settings, std::shared_ptr<Tables> tables, Choreographies& choreographies, Census* census);

  /// Folds what is there, waiting up to `longest` for the first event. Whether the tables have changed.
  [[nodiscard]] bool step(std::chrono::milliseconds longest, TimePoint now);
  /// Chores of once a second. The stream's newest sequence; nothing when the broker does not answer.
  [[nodiscard]] std::optional<std::uint64_t> look(TimePoint now);
  void contracts_changed() { projection_.contracts_changed(); }
  void judge_whatever_comes() { projection_.judge_whatever_comes(); }
  void count_in(Census& census) { projection_.count_in(census); }

  [[nodiscard]] const Position& position() const { return projection_.position(); }
  [[nodiscard]] const std::shared_ptr<Tables>& tables() const { return tables_; }
  [[nodiscard]] bool has_caught_up_with(const Fold& other) const;
  /// Age of the newest event folded where more are behind it; 0 otherwise.
  [[nodiscard]] std::chrono::milliseconds lag(TimePoint now) const;

 private:
  void start();

  const std::chrono::hours keep_finished_;
  const std::shared_ptr<Tables> tables_;
  Projection projection_;
  jetstream::StreamFollower follower_;
  std::string stream_created_;
  bool started_ = false;
  std::uint64_t read_up_to_ = 0;  ///< handed out by the follower
  std::uint64_t stream_last_ = 0;
  TimePoint newest_recorded_{};
  TimePoint next_forgetting_{};
  std::chrono::steady_clock::time_point heard_at_;
};

}  // namespace quadrille::tracker
