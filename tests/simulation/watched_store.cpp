#include "simulation/watched_store.hpp"

#include <algorithm>

namespace simulation {
namespace {

using namespace quadrille;

class WatchedEvents final : public EventLog {
 public:
  WatchedEvents(EventLog& inner, Ledger& ledger) : inner_(inner), ledger_(ledger) {}
  [[nodiscard]] std::map<StreamName, std::vector<Event>> load(std::span<const StreamName> streams) override {
    return inner_.load(streams);
  }
  void append(std::span<const Event> events) override {
    inner_.append(events);
    ledger_.work.said.insert(ledger_.work.said.end(), events.begin(), events.end());
  }
  void append_last(std::span<const Event> events) override {
    inner_.append_last(events);
    ledger_.work.said.insert(ledger_.work.said.end(), events.begin(), events.end());
  }
  [[nodiscard]] std::vector<Place> find(std::span<const std::string> ids) override { return inner_.find(ids); }
  [[nodiscard]] std::vector<std::pair<Position, Event>> read_all(Position after, std::size_t limit) override {
    return inner_.read_all(after, limit);
  }

 private:
  EventLog& inner_;
  Ledger& ledger_;
};

class WatchedOutbox final : public Outbox {
 public:
  WatchedOutbox(Outbox& inner, Ledger& ledger) : inner_(inner), ledger_(ledger) {}
  [[nodiscard]] std::vector<Entry> oldest(std::size_t limit) override { return inner_.oldest(limit); }
  [[nodiscard]] std::vector<std::uint64_t> remove(std::span<const std::uint64_t> positions) override {
    ledger_.work.outbox_removed = true;
    return inner_.remove(positions);
  }
  [[nodiscard]] std::vector<std::uint64_t> gone(std::span<const std::uint64_t> positions) override {
    return inner_.gone(positions);
  }
  [[nodiscard]] Backlog backlog(std::uint64_t most) override { return inner_.backlog(most); }

 private:
  Outbox& inner_;
  Ledger& ledger_;
};

class WatchedInbox final : public Inbox {
 public:
  WatchedInbox(Inbox& inner, Ledger& ledger, const History& history, Flaw flaw)
      : inner_(inner), ledger_(ledger), history_(history), flaw_(flaw) {}
  [[nodiscard]] std::vector<bool> claim(std::string_view consumer, std::span<const Key> keys) override {
    auto claimed = inner_.claim(consumer, keys);
    if (flaw_ == Flaw::no_claim) claimed.assign(claimed.size(), true);
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (claimed[i]) ledger_.work.claimed.push_back(keys[i].message_id);
    return claimed;
  }
  [[nodiscard]] std::map<StreamName, std::uint64_t> applied(std::string_view consumer,
                                                            std::span<const StreamName> streams) override {
    auto versions = inner_.applied(consumer, streams);
    if (flaw_ == Flaw::no_fence)
      for (auto id = ledger_.work.claimed.rbegin(); id != ledger_.work.claimed.rend(); ++id)
        if (const auto event = history_.events.find(*id); event != history_.events.end())
          versions[event->second.stream] = event->second.version - 1;
    return versions;
  }
  void set_applied(std::string_view consumer, const std::map<StreamName, std::uint64_t>& versions) override {
    inner_.set_applied(consumer, versions);
  }
  [[nodiscard]] std::set<StreamName> waiting_streams(std::string_view consumer,
                                                     std::span<const StreamName> streams) override {
    if (flaw_ == Flaw::no_fence) return {};
    return inner_.waiting_streams(consumer, streams);
  }
  void put_waiting(std::string_view consumer, std::span<const WaitingMessage> messages) override {
    for (const auto& message : messages) ledger_.work.put_to_wait.insert(message.message_id);
    inner_.put_waiting(consumer, messages);
  }
  [[nodiscard]] std::vector<WaitingMessage> take_due(std::string_view consumer, TimePoint now,
                                                     std::size_t limit) override {
    return inner_.take_due(consumer, now, limit);
  }
  void remove_waiting(std::string_view consumer, std::span<const std::string> message_ids) override {
    auto& done = ledger_.work.done_waiting;
    done.insert(done.end(), message_ids.begin(), message_ids.end());
    inner_.remove_waiting(consumer, message_ids);
  }
  [[nodiscard]] std::vector<WaitingMessage> look(std::string_view consumer, const Filter& filter,
                                                 std::size_t limit) override {
    return inner_.look(consumer, filter, limit);
  }
  [[nodiscard]] std::set<std::string> claimed(std::string_view consumer,
                                              std::span<const std::string> message_ids) override {
    return inner_.claimed(consumer, message_ids);
  }
  [[nodiscard]] std::optional<WaitingMessage> find_waiting(std::string_view consumer,
                                                           std::string_view message_id) override {
    return inner_.find_waiting(consumer, message_id);
  }
  [[nodiscard]] std::optional<std::uint64_t> oldest_waiting(std::string_view consumer,
                                                            const StreamName& stream) override {
    return inner_.oldest_waiting(consumer, stream);
  }
  [[nodiscard]] std::map<std::string, std::string> note_durables(
      const std::map<std::string, std::string>& made) override {
    return inner_.note_durables(made);
  }
  [[nodiscard]] std::vector<Count> count_waiting(std::string_view consumer, std::uint64_t most) override {
    return inner_.count_waiting(consumer, most);
  }

 private:
  Inbox& inner_;
  Ledger& ledger_;
  const History& history_;
  const Flaw flaw_;
};

class WatchedLeases final : public Leases {
 public:
  WatchedLeases(Leases& inner, Ledger& ledger, Flaw flaw) : inner_(inner), ledger_(ledger), flaw_(flaw) {}
  [[nodiscard]] std::vector<Lease> acquire(std::span<const std::string> names, std::string_view owner,
                                           std::chrono::milliseconds time_to_live) override {
    return noted(inner_.acquire(names, owner, time_to_live), owner);
  }
  [[nodiscard]] std::vector<Lease> acquire_some(std::span<const std::string> names, std::string_view owner,
                                                std::chrono::milliseconds time_to_live, std::size_t most) override {
    return noted(inner_.acquire_some(names, owner, time_to_live, most), owner);
  }
  void give_back(std::span<const std::string> names, std::string_view owner) override {
    inner_.give_back(names, owner);
  }
  [[nodiscard]] std::size_t held(std::string_view prefix) override { return inner_.held(prefix); }
  [[nodiscard]] bool verify(std::span<const Lease> leases, std::string_view owner) override {
    return flaw_ == Flaw::no_token || inner_.verify(leases, owner);
  }
  void release(std::string_view owner) override { inner_.release(owner); }

 private:
  std::vector<Lease> noted(std::vector<Lease> leases, std::string_view owner) {
    for (const auto& lease : leases) ledger_.epochs[{std::string(owner), lease.name}] = lease.epoch;
    return leases;
  }

  Leases& inner_;
  Ledger& ledger_;
  const Flaw flaw_;
};

}  // namespace

class WatchedTransaction final : public Transaction {
 public:
  WatchedTransaction(WatchedStore& store, std::unique_ptr<Transaction> inner)
      : store_(store), inner_(std::move(inner)) {
    store_.ledger_.work = {};
  }
  EventLog& events() override { return events_; }
  Outbox& outbox() override { return outbox_; }
  Inbox& inbox() override { return inbox_; }
  Deadlines& deadlines() override { return inner_->deadlines(); }
  Quantities& quantities() override { return inner_->quantities(); }
  Leases& leases() override { return leases_; }
  IdempotencyKeys& idempotency() override { return inner_->idempotency(); }
  AuditTrail& audit() override { return inner_->audit(); }
  std::vector<SqlRow> sql(std::string_view statement, std::span<const std::string> parameters) override {
    return inner_->sql(statement, parameters);
  }
  void commit() override {
    store_.ledger_.check(*inner_, store_.owner_());
    inner_->commit();
  }

 private:
  WatchedStore& store_;
  std::unique_ptr<Transaction> inner_;
  WatchedEvents events_{inner_->events(), store_.ledger_};
  WatchedOutbox outbox_{inner_->outbox(), store_.ledger_};
  WatchedInbox inbox_{inner_->inbox(), store_.ledger_, store_.history_, store_.flaw_};
  WatchedLeases leases_{inner_->leases(), store_.ledger_, store_.flaw_};
};

std::unique_ptr<Transaction> WatchedStore::begin() {
  auto inner = inner_.begin();
  return std::make_unique<WatchedTransaction>(*this, std::move(inner));
}

}  // namespace simulation
