#include "postgres/replication/tailing_source.hpp"

#include "postgres/connection.hpp"
#include "postgres/replication/slot.hpp"
#include "postgres/replication/tail.hpp"
#include "quadrille/error.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace quadrille::postgres {
namespace {

using Clock = std::chrono::steady_clock;
using Positions = std::vector<std::uint64_t>;

/// Two ways to the same entries. It polls until the log is being read *and* everything older has been found in the
/// outbox and settled; then it goes by the log. What polling has published stands in the log too, up to where the log
/// ended when polling did: up to there, what has left the outbox is passed over.
class TailingSource final : public OutboxSource {
 public:
  TailingSource(Store& store, const PostgresSettings& database, TailingSettings settings)
      : store_(store), settings_(std::move(settings)), slot_(store), keywords_(connection_string(database)) {}

  void on_more(std::function<void()> more) override { more_ = std::move(more); }

  [[nodiscard]] std::vector<Outbox::Entry> take(std::size_t limit) override {
    if (!tail_) tail_.emplace(slot_, Tail::Settings{keywords_, {}, settings_.warn, settings_.info}, more_);
    tail_->start();
    watch_lag();
    const auto session = tail_->session();  // looked at before the outbox: what commits later is in its log
    if (session == 0 || session != session_) {
      const bool caught_up = session != 0 && session == polled_in_ && outstanding_.empty();
      if (!caught_up) {
        auto entries = poll(limit, session);
        if (!entries.empty() || session == 0) return entries;
      }
      published_before_ = slot_.end_of_log();
      session_ = session;
    }
    return from_log(limit);
  }

  void settle(std::span<const std::uint64_t> positions) override {
    for (const auto position : positions) outstanding_.erase(position);
    if (tail_) tail_->settle(positions);
  }

  void release() override {
    tail_.reset();
    session_ = 0;
    polled_in_ = 0;
    outstanding_.clear();
    seen_.clear();
  }

  [[nodiscard]] std::optional<std::uint64_t> lag_bytes() override { return slot_.lag_bytes(); }

 private:
  std::vector<Outbox::Entry> poll(std::size_t limit, std::uint64_t session) {
    auto entries = store_.begin()->outbox().oldest(limit);
    outstanding_.clear();
    for (const auto& entry : entries) outstanding_.insert(entry.position);
    // Less than was asked for is everything there is; with these settled, the rest comes from the log.
    polled_in_ = entries.size() < limit ? session : 0;
    return entries;
  }

  std::vector<Outbox::Entry> from_log(std::size_t limit) {
    auto logged = tail_->oldest(session_, limit);
    if (logged.empty()) return left_over(limit);
    std::set<std::uint64_t> known;
    if (logged.front().commit < published_before_) known = pass_over_published(logged);
    std::vector<Outbox::Entry> entries;
    for (auto& each : logged)
      if (!known.contains(each.entry.position)) entries.push_back(std::move(each.entry));
    if (entries.size() < logged.size()) more_();  // to whoever asked it looks like all there is: there may be more
    return entries;
  }

  std::set<std::uint64_t> pass_over_published(const std::vector<LogQueue::Logged>& logged) {
    Positions old;
    for (const auto& each : logged)
      if (each.commit < published_before_) old.push_back(each.entry.position);
    const auto known = store_.begin()->outbox().gone(old);
    tail_->settle(known);
    return {known.begin(), known.end()};
  }

  /// Nothing stays in the outbox from one sweep to the next while the log is quiet, but what the log never shows: a
  /// relay may have ended between a publication and its removal, or somebody may have moved the slot by hand.
  std::vector<Outbox::Entry> left_over(std::size_t limit) {
    if (Clock::now() - swept_at_ < settings_.between_sweeps) return {};
    swept_at_ = Clock::now();
    std::vector<Outbox::Entry> stale;
    std::set<std::uint64_t> seen;
    for (auto& entry : store_.begin()->outbox().oldest(limit)) {
      seen.insert(entry.position);
      if (seen_.contains(entry.position)) stale.push_back(std::move(entry));
    }
    seen_ = std::move(seen);
    return stale;
  }

  void watch_lag() {
    if (Clock::now() - lag_checked_at_ < settings_.between_lag_checks) return;
    lag_checked_at_ = Clock::now();
    const auto lag = lag_bytes();
    if (lag && *lag > settings_.lag_limit)
      settings_.warn("the relay is " + std::to_string(*lag >> 20U) +
                     " MiB of log behind; past max_slot_wal_keep_size the server drops what the slot has not read");
  }

  Store& store_;
  const TailingSettings settings_;
  Slot slot_;
  const std::string keywords_;
  std::function<void()> more_ = [] {};
  std::optional<Tail> tail_;
  std::uint64_t session_ = 0;            ///< of the tail, that is gone by; 0: polling
  std::uint64_t polled_in_ = 0;          ///< the session in which a poll last found everything
  std::set<std::uint64_t> outstanding_;  ///< of that poll, not settled yet
  Lsn published_before_ = 0;             ///< commits before it may have been published by a poll
  std::set<std::uint64_t> seen_;         ///< by the last sweep
  Clock::time_point swept_at_{};
  Clock::time_point lag_checked_at_{};
};

}  // namespace

std::unique_ptr<OutboxSource> tail(Store& store, const PostgresSettings& database, TailingSettings settings) {
  for (const auto& warning : Slot(store).check()) settings.warn(warning);
  return std::make_unique<TailingSource>(store, database, std::move(settings));
}

std::optional<std::uint64_t> slot_lag_bytes(Store& store) { return Slot(store).lag_bytes(); }

std::string forgotten_slot(Store& store) {
  const auto lag = slot_lag_bytes(store);
  if (!lag) return {};
  return "this relay polls, but a replication slot for log tailing is there and keeps " + std::to_string(*lag >> 20U) +
         " MiB of the server's log; if it is not needed any more: quadrille migrate --drop-log-tailing";
}

}  // namespace quadrille::postgres
