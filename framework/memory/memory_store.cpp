#include "memory/memory_store.hpp"

#include "memory/memory_inbox.hpp"
#include "memory/tables.hpp"
#include "quadrille/error.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace quadrille::memory {
namespace {

class MemoryEventLog final : public EventLog {
 public:
  MemoryEventLog(Tables& tables, TimePoint now) : tables_(tables), now_(now) {}

  [[nodiscard]] std::map<StreamName, std::vector<Event>> load(std::span<const StreamName> streams) override {
    std::map<StreamName, std::vector<Event>> histories;
    for (const auto& stream : streams)
      if (const auto positions = tables_.streams.find(stream); positions != tables_.streams.end())
        for (const auto position : positions->second) histories[stream].push_back(*tables_.events[position - 1]);
    return histories;
  }
  void append(std::span<const Event> events) override {
    carry_out();
    add(events);
  }
  void append_last(std::span<const Event> events) override { last_.insert(last_.end(), events.begin(), events.end()); }
  /// What append_last() has left to a later call.
  void carry_out() { add(std::exchange(last_, {})); }
  [[nodiscard]] std::vector<Place> find(std::span<const std::string> ids) override {
    std::vector<Place> places;
    for (std::size_t i = 0; i < tables_.events.size(); ++i) {
      const auto& event = *tables_.events[i];
      if (std::ranges::find(ids, event.id) == ids.end()) continue;
      places.push_back({event, i + 1, !tables_.outbox.contains(i + 1)});
      places.back().event.payload.clear();
    }
    return places;
  }
  [[nodiscard]] std::vector<std::pair<Position, Event>> read_all(Position after, std::size_t limit) override {
    std::vector<std::pair<Position, Event>> read;
    for (std::size_t i = after.position; i < tables_.events.size() && read.size() < limit; ++i)
      read.emplace_back(Position{0, i + 1}, *tables_.events[i]);
    return read;
  }

 private:
  void add(std::span<const Event> events) {
    for (const auto& event : events) {
      if (event.stream.key == tables_.refused_key)
        throw Error(Disposition::retry, "an event of '" + event.stream.key + "' is refused (fault of the test)");
      auto& positions = tables_.streams[event.stream];
      if (event.version != positions.size() + 1) throw VersionConflict(event.stream.text());
      auto recorded = std::make_shared<Event>(event);
      recorded->recorded_at = now_;
      tables_.events.push_back(std::move(recorded));
      positions.push_back(tables_.events.size());
      tables_.outbox.insert(tables_.events.size());
    }
  }

  Tables& tables_;
  TimePoint now_;
  std::vector<Event> last_;
};

class MemoryOutbox final : public Outbox {
 public:
  explicit MemoryOutbox(Tables& tables) : tables_(tables) {}
  [[nodiscard]] std::vector<Entry> oldest(std::size_t limit) override {
    std::vector<Entry> entries;
    for (auto position = tables_.outbox.begin(); position != tables_.outbox.end() && entries.size() < limit; ++position)
      entries.push_back({*position, *tables_.events[*position - 1]});
    return entries;
  }
  [[nodiscard]] std::vector<std::uint64_t> remove(std::span<const std::uint64_t> positions) override {
    for (const auto position : positions) tables_.outbox.erase(position);
    return gone(positions);
  }
  [[nodiscard]] std::vector<std::uint64_t> gone(std::span<const std::uint64_t> positions) override {
    std::vector<std::uint64_t> found;
    for (const auto position : positions)
      if (position <= tables_.events.size() && !tables_.outbox.contains(position)) found.push_back(position);
    return found;
  }
  [[nodiscard]] Backlog backlog(std::uint64_t most) override {
    if (tables_.outbox.empty()) return {};
    return {std::min<std::uint64_t>(most, tables_.outbox.size()),
            tables_.events[*tables_.outbox.begin() - 1]->recorded_at};
  }

 private:
  Tables& tables_;
};

class MemoryDeadlines final : public Deadlines {
 public:
  explicit MemoryDeadlines(Tables& tables) : tables_(tables) {}
  void arm(std::span<const Deadline> deadlines) override {
    for (const auto& deadline : deadlines) tables_.deadlines[deadline.id] = deadline;
  }
  bool put_off(const Deadline& deadline) override {
    const auto row = tables_.deadlines.find(deadline.id);
    if (row == tables_.deadlines.end() || row->second.attempts >= deadline.attempts) return false;
    row->second.due_at = deadline.due_at;
    row->second.attempts = deadline.attempts;
    return true;
  }
  [[nodiscard]] std::vector<Deadline> take_due(TimePoint now, std::size_t limit) override {
    std::vector<Deadline> due;
    for (const auto& [id, deadline] : tables_.deadlines)
      if (deadline.due_at <= now) due.push_back(deadline);
    std::ranges::stable_sort(due, {}, &Deadline::due_at);
    if (due.size() > limit) due.resize(limit);
    return due;
  }
  void remove(std::string_view id) override { tables_.deadlines.erase(std::string(id)); }
  [[nodiscard]] std::vector<Deadline> armed(std::string_view saga_id, std::size_t limit) override {
    std::vector<Deadline> found;
    for (const auto& [id, deadline] : tables_.deadlines)
      if (deadline.saga_id == saga_id) found.push_back(deadline);
    std::ranges::stable_sort(found, {}, &Deadline::due_at);
    if (found.size() > limit) found.resize(limit);
    return found;
  }
  std::vector<Deadline> hurry(std::string_view saga_id, std::string_view step, TimePoint now) override {
    std::vector<Deadline> found;
    for (auto& [id, deadline] : tables_.deadlines) {
      if (deadline.saga_id != saga_id || deadline.step != step) continue;
      deadline.due_at = std::min(deadline.due_at, now);
      found.push_back(deadline);
    }
    return found;
  }
  [[nodiscard]] Backlog backlog(std::uint64_t most) override {
    Backlog backlog{std::min<std::uint64_t>(most, tables_.deadlines.size()), {}};
    for (const auto& [id, deadline] : tables_.deadlines)
      backlog.oldest = std::min(backlog.oldest.value_or(deadline.due_at), deadline.due_at);
    return backlog;
  }

 private:
  Tables& tables_;
};

class MemoryQuantities final : public Quantities {
 public:
  explicit MemoryQuantities(Tables& tables) : tables_(tables) {}
  [[nodiscard]] std::optional<Quantity> find(std::string_view resource) override {
    const auto row = tables_.quantities.find(std::string(resource));
    return row == tables_.quantities.end() ? std::nullopt : std::optional(row->second);
  }
  [[nodiscard]] bool add(std::string_view resource, std::int64_t delta) override {
    const auto row = tables_.quantities.find(std::string(resource));
    const auto free = row == tables_.quantities.end() ? 0 : row->second.total - row->second.held;
    if (free + delta < 0) return false;
    tables_.quantities[std::string(resource)].total += delta;
    return true;
  }
  [[nodiscard]] bool hold(std::string_view resource, std::string_view holder, std::int64_t amount,
                          TimePoint expires_at) override {
    const std::pair place{std::string(resource), std::string(holder)};
    if (tables_.holds.contains(place)) return true;
    const auto row = tables_.quantities.find(place.first);
    if (row == tables_.quantities.end() || row->second.total - row->second.held < amount) return false;
    row->second.held += amount;
    tables_.holds[place] = {place.first, place.second, amount, expires_at};
    return true;
  }
  std::int64_t release(std::string_view resource, std::string_view holder) override {
    return end_hold(resource, holder, false);
  }
  std::int64_t settle(std::string_view resource, std::string_view holder) override {
    return end_hold(resource, holder, true);
  }
  [[nodiscard]] std::vector<Hold> expired(TimePoint now, std::size_t limit) override {
    std::vector<Hold> holds;
    for (const auto& [place, hold] : tables_.holds)
      if (hold.expires_at <= now) holds.push_back(hold);
    std::ranges::stable_sort(holds, {}, &Hold::expires_at);
    if (holds.size() > limit) holds.resize(limit);
    return holds;
  }

 private:
  std::int64_t end_hold(std::string_view resource, std::string_view holder, bool take) {
    const auto hold = tables_.holds.find({std::string(resource), std::string(holder)});
    if (hold == tables_.holds.end()) return 0;
    const auto amount = hold->second.amount;
    auto& quantity = tables_.quantities.at(std::string(resource));
    quantity.held -= amount;
    if (take) quantity.total -= amount;
    tables_.holds.erase(hold);
    return amount;
  }

  Tables& tables_;
};

class MemoryLeases final : public Leases {
 public:
  MemoryLeases(Tables& tables, TimePoint now) : tables_(tables), now_(now) {}
  [[nodiscard]] std::vector<Lease> acquire(std::span<const std::string> names, std::string_view owner,
                                           std::chrono::milliseconds time_to_live) override {
    std::vector<Lease> leases;
    for (const auto& name : names) {
      auto& row = tables_.leases[name];
      if (row.epoch != 0 && row.owner != owner && row.expires_at > now_) continue;
      if (row.owner != owner) ++row.epoch;
      row.owner = owner;
      row.expires_at = now_ + time_to_live;
      leases.push_back({name, row.epoch});
    }
    return leases;
  }
  [[nodiscard]] std::vector<Lease> acquire_some(std::span<const std::string> names, std::string_view owner,
                                                std::chrono::milliseconds time_to_live, std::size_t most) override {
    std::vector<std::string> chosen(names.begin(), names.end());
    std::erase_if(chosen, [&](const std::string& name) { return !is_for(name, owner); });
    std::ranges::sort(chosen, {}, [&](const std::string& name) {
      return std::pair{tables_.leases[name].owner != owner, name};
    });
    if (chosen.size() > most) chosen.resize(most);
    return acquire(chosen, owner, time_to_live);
  }
  void give_back(std::span<const std::string> names, std::string_view owner) override {
    for (const auto& name : names)
      if (auto& row = tables_.leases[name]; row.owner == owner) row.expires_at = now_;
  }
  [[nodiscard]] std::size_t held(std::string_view prefix) override {
    return static_cast<std::size_t>(std::ranges::count_if(tables_.leases, [&](const auto& lease) {
      return lease.first.starts_with(prefix) && lease.second.expires_at > now_;
    }));
  }
  [[nodiscard]] bool verify(std::span<const Lease> leases, std::string_view owner) override {
    return std::ranges::all_of(leases, [&](const Lease& lease) {
      const auto row = tables_.leases.find(lease.name);
      return row != tables_.leases.end() && row->second.owner == owner && row->second.epoch == lease.epoch;
    });
  }
  void release(std::string_view owner) override {
    for (auto& [name, row] : tables_.leases)
      if (row.owner == owner) row.expires_at = now_;
  }

 private:
  [[nodiscard]] bool is_for(const std::string& name, std::string_view owner) const {
    const auto row = tables_.leases.find(name);
    return row == tables_.leases.end() || row->second.owner == owner || row->second.expires_at <= now_;
  }

  Tables& tables_;
  TimePoint now_;
};

class MemoryIdempotencyKeys final : public IdempotencyKeys {
 public:
  explicit MemoryIdempotencyKeys(Tables& tables) : tables_(tables) {}
  [[nodiscard]] std::optional<Entry> claim(std::string_view scope, std::string_view key, std::string_view request_hash,
                                           TimePoint now, TimePoint expires_at) override {
    auto [row, fresh] = tables_.keys.try_emplace({std::string(scope), std::string(key)});
    if (!fresh && row->second.expires_at > now) return row->second.entry;
    row->second = {{std::string(request_hash), false, 0, {}}, expires_at};
    return std::nullopt;
  }
  void complete(std::string_view scope, std::string_view key, int status, std::string_view response) override {
    auto& entry = tables_.keys.at({std::string(scope), std::string(key)}).entry;
    entry.done = true;
    entry.status = status;
    entry.response = response;
  }

 private:
  Tables& tables_;
};

class MemoryAuditTrail final : public AuditTrail {
 public:
  MemoryAuditTrail(Tables& tables, TimePoint now) : tables_(tables), now_(now) {}
  void record(const Entry& entry) override {
    tables_.audit.push_back(entry);
    tables_.audit.back().at = now_;
  }
  [[nodiscard]] std::vector<Entry> newest(std::size_t limit) override {
    std::vector<Entry> entries(tables_.audit.rbegin(), tables_.audit.rend());
    if (entries.size() > limit) entries.resize(limit);
    return entries;
  }

 private:
  Tables& tables_;
  TimePoint now_;
};

}  // namespace

class MemoryTransaction final : public Transaction {
 public:
  explicit MemoryTransaction(MemoryStore& store)
      : store_(store), alone_(store.one_transaction_), tables_(*store.tables_), now_(store.clock_.now()) {}

  EventLog& events() override { return events_; }
  Outbox& outbox() override { return outbox_; }
  Inbox& inbox() override { return inbox_; }
  Deadlines& deadlines() override { return deadlines_; }
  Quantities& quantities() override { return quantities_; }
  Leases& leases() override { return leases_; }
  IdempotencyKeys& idempotency() override { return keys_; }
  AuditTrail& audit() override { return audit_; }
  std::vector<SqlRow> sql(std::string_view, std::span<const std::string>) override {
    throw Error(Disposition::stop, "the store in memory has no SQL; test steps that use step.sql() on PostgreSQL");
  }
  void commit() override {
    if (store_.on_moment_) store_.on_moment_(MemoryStore::Moment::before_commit);
    const auto fault = std::exchange(store_.fault_, MemoryStore::Fault::none);
    if (fault == MemoryStore::Fault::before_commit)
      throw Error(Disposition::retry, "commit failed (fault of the test)");
    events_.carry_out();
    *store_.tables_ = std::move(tables_);
    ++store_.commits_;
    alone_.unlock();
    if (store_.on_moment_) store_.on_moment_(MemoryStore::Moment::after_commit);
    if (fault == MemoryStore::Fault::after_commit)
      throw Error(Disposition::retry, "commit in doubt (fault of the test)");
  }

 private:
  MemoryStore& store_;
  std::unique_lock<std::mutex> alone_;
  Tables tables_;
  TimePoint now_;
  MemoryEventLog events_{tables_, now_};
  MemoryOutbox outbox_{tables_};
  MemoryInbox inbox_{tables_};
  MemoryDeadlines deadlines_{tables_};
  MemoryQuantities quantities_{tables_};
  MemoryLeases leases_{tables_, now_};
  MemoryIdempotencyKeys keys_{tables_};
  MemoryAuditTrail audit_{tables_, now_};
};

MemoryStore::MemoryStore(const Clock& clock) : clock_(clock), tables_(std::make_unique<Tables>()) {}
MemoryStore::~MemoryStore() = default;

std::unique_ptr<Transaction> MemoryStore::begin() {
  if (on_moment_) on_moment_(Moment::before_begin);
  return std::make_unique<MemoryTransaction>(*this);
}

std::size_t MemoryStore::unpublished() {
  const std::scoped_lock alone(one_transaction_);
  return tables_->outbox.size();
}

std::optional<TimePoint> MemoryStore::next_due() {
  const std::scoped_lock alone(one_transaction_);
  std::optional<TimePoint> next;
  for (const auto& [id, deadline] : tables_->deadlines)
    next = std::min(next.value_or(deadline.due_at), deadline.due_at);
  for (const auto& [place, message] : tables_->waiting)
    if (message.state != Waiting::parked && message.state != Waiting::behind)
      next = std::min(next.value_or(message.due_at), message.due_at);
  return next;
}

void MemoryStore::ring() {
  const std::scoped_lock lock(mutex_);
  bell_ = true;
  rung_.notify_all();
}

bool MemoryStore::await_ring(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  rung_.wait_for(lock, longest, [this] { return bell_; });
  return std::exchange(bell_, false);
}

void MemoryStore::maintain() {
  const std::scoped_lock alone(one_transaction_);
  std::erase_if(tables_->keys, [now = clock_.now()](const auto& row) { return row.second.expires_at <= now; });
}

void MemoryStore::fail_next_commit(Fault fault) {
  const std::scoped_lock alone(one_transaction_);
  fault_ = fault;
}

void MemoryStore::refuse_events_of(const std::string& key) {
  const std::scoped_lock alone(one_transaction_);
  tables_->refused_key = key;
}

}  // namespace quadrille::memory
