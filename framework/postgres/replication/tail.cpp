#include "postgres/replication/tail.hpp"

#include "core/backoff.hpp"
#include "postgres/replication/event_rows.hpp"
#include "postgres/replication/frame.hpp"
#include "postgres/replication/names.hpp"
#include "postgres/replication/pgoutput.hpp"
#include "postgres/replication/replication_connection.hpp"
#include "quadrille/error.hpp"

#include <algorithm>
#include <utility>

namespace quadrille::postgres {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Follows one connection's messages, and says into the queue what they mean.
class Follower {
 public:
  /// True when there is a new entry.
  bool follow(const LogData& data, LogQueue& queue) {
    return std::visit([&](const auto& message) { return on(message, queue); }, pgoutput::parse(data.message));
  }
  bool follow(const Keepalive& keepalive, LogQueue& queue) {
    // Within a transaction its place in the log tells nothing about the rows that are still to come.
    if (commit_ == 0) queue.reached(keepalive.end);
    return false;
  }

 private:
  bool on(const pgoutput::Begin& begin, LogQueue&) {
    commit_ = begin.commit;
    return false;
  }
  bool on(const pgoutput::Insert& insert, LogQueue& queue) {
    auto entry = rows_.entry(insert);
    if (!entry) return false;
    queue.add({std::move(*entry), commit_});
    return true;
  }
  bool on(const pgoutput::Commit& commit, LogQueue& queue) {
    commit_ = 0;
    queue.reached(commit.end);
    return false;
  }
  bool on(const pgoutput::Relation& relation, LogQueue&) {
    rows_.describe(relation);
    return false;
  }
  // Types, origins and truncations say nothing about what is to be published.
  template <class Other>
  bool on(const Other&, LogQueue&) {
    return false;
  }

  EventRows rows_;
  Lsn commit_ = 0;  ///< of the transaction in progress; 0 between two
};

/// Well within the server's patience, which ends the connection.
milliseconds between_reports(milliseconds patience_of_server) {
  constexpr milliseconds usual{10'000};
  return patience_of_server.count() == 0 ? usual : std::min(usual, patience_of_server / 4);
}

}  // namespace

Tail::Tail(Slot& slot, Settings settings, std::function<void()> more)
    : slot_(slot), settings_(std::move(settings)), more_(std::move(more)), queue_(settings_.limits) {}

Tail::~Tail() { stop(); }

void Tail::start() {
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
}

void Tail::stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  thread_ = {};
}

std::uint64_t Tail::session() const {
  const std::scoped_lock lock(mutex_);
  return connected_ ? sessions_ : 0;
}

std::vector<LogQueue::Logged> Tail::oldest(std::uint64_t session, std::size_t limit) const {
  const std::scoped_lock lock(mutex_);
  if (session != sessions_) return {};
  return queue_.oldest(limit);
}

void Tail::settle(std::span<const std::uint64_t> positions) {
  const std::scoped_lock lock(mutex_);
  queue_.settle(positions);
  room_.notify_all();
}

void Tail::run(const std::stop_token& stopping) {
  const Backoff backoff{milliseconds(100), std::chrono::seconds(10)};
  // A slot can let itself be opened and still not be read: only time tells that all is well.
  constexpr std::chrono::seconds well_after{10};
  std::uint32_t failures = 0;
  while (!stopping.stop_requested()) {
    const auto began_at = Clock::now();
    try {
      const auto name = slot_.name();
      ready_slot(name);
      read(name, stopping);
    } catch (const SlotInUse&) {
      failures = std::min(failures, 2U);  // the relay before us, for a moment: the server has yet to notice its end
    } catch (const Error& error) {
      if (!stopping.stop_requested()) complain(error.what());
    }
    if (session() != 0 && Clock::now() - began_at >= well_after) {
      failures = 0;
      complaint_.clear();
    }
    end_session();
    std::unique_lock lock(mutex_);
    room_.wait_for(lock, stopping, backoff.delay(++failures), [] { return false; });
  }
}

void Tail::ready_slot(const std::string& name) {
  const auto state = slot_.state(name);
  if (state == Slot::State::there) return;
  if (state == Slot::State::lost) slot_.drop(name);
  slot_.create(name);
  settings_.warn("replication slot " + name + (state == Slot::State::lost ? " was lost" : " was missing") +
                 " and is made anew; what it would have shown is published from the outbox");
}

void Tail::read(const std::string& slot, const std::stop_token& stopping) {
  ReplicationConnection connection(settings_.keywords);
  connection.start(slot, publication_name);
  begin_session();
  settings_.info("relay reads the log through slot " + slot);
  stream(connection, stopping);
}

void Tail::stream(ReplicationConnection& connection, const std::stop_token& stopping) {
  const auto interval = between_reports(connection.patience_of_server());
  const auto tick = std::min(interval / 2, milliseconds(100));  // how long a confirmation may wait
  auto reported_at = Clock::now();
  Lsn reported = 0;
  Follower follower;
  while (!stopping.stop_requested()) {
    bool reply_now = false;
    bool any = false;
    bool full = is_full();
    for (auto longest = tick; !full; longest = milliseconds(0)) {
      const auto frame = connection.receive(longest);
      if (frame.empty()) break;
      const auto parsed = parse_frame(frame);
      if (const auto* keepalive = std::get_if<Keepalive>(&parsed)) reply_now = reply_now || keepalive->reply_now;
      const std::scoped_lock lock(mutex_);
      any = std::visit([&](const auto& each) { return follower.follow(each, queue_); }, parsed) || any;
      full = queue_.full();
    }
    if (any) more_();
    std::unique_lock lock(mutex_);
    // The server is kept patient by reports alone: what it sends meanwhile waits in the socket.
    if (full) room_.wait_for(lock, stopping, tick, [this] { return !queue_.full(); });
    const auto confirmed = queue_.confirmed();
    lock.unlock();
    if (!reply_now && confirmed == reported && Clock::now() - reported_at < interval) continue;
    connection.report(confirmed);
    reported = confirmed;
    reported_at = Clock::now();
  }
  const std::scoped_lock lock(mutex_);
  connection.report(queue_.confirmed());
}

bool Tail::is_full() const {
  const std::scoped_lock lock(mutex_);
  return queue_.full();
}

void Tail::begin_session() {
  {
    const std::scoped_lock lock(mutex_);
    queue_ = LogQueue(settings_.limits);
    ++sessions_;
    connected_ = true;
  }
  more_();
}

void Tail::end_session() {
  {
    const std::scoped_lock lock(mutex_);
    connected_ = false;
  }
  more_();
}

void Tail::complain(const std::string& what) {
  if (what == complaint_) return;
  complaint_ = what;
  settings_.warn("the log cannot be read, so the relay polls the outbox: " + what);
}

}  // namespace quadrille::postgres
