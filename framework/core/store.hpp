#pragma once

#include "core/broker.hpp"
#include "core/clock.hpp"
#include "core/event.hpp"
#include "core/stream_name.hpp"
#include "quadrille/error.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The port to the database of one participant. Everything below happens inside one Transaction; a facet is a view of
/// it and lives as long. Every call may throw Error: retry when the database failed (a commit in doubt included: a
/// redelivery meets the inbox row), stop when its set-up is wrong. Two implementations pass tests/contract/store:
/// framework/postgres and framework/memory.
namespace quadrille {

/// The event store. Events are never changed or removed.
class EventLog {
 public:
  virtual ~EventLog() = default;
  /// The events of each stream in version order, in one call. Streams without events are absent from the answer.
  [[nodiscard]] virtual std::map<StreamName, std::vector<Event>> load(std::span<const StreamName> streams) = 0;
  /// Records the events and queues each in the outbox. Events of one stream are contiguous; the version of the first
  /// is the one expected next. Throws VersionConflict when a stream has moved; the transaction is then over.
  /// `recorded_at` is replaced by the transaction's time.
  virtual void append(std::span<const Event> events) = 0;
  /// The same for events that nothing in this transaction reads again: VersionConflict may come only with a later call,
  /// the commit at the latest.
  virtual void append_last(std::span<const Event> events) { append(events); }
  /// Where an event is, without its payload.
  struct Place {
    Event event;
    std::uint64_t position = 0;
    bool published = false;  ///< no longer in the outbox
  };
  /// Those of the events that were recorded here.
  [[nodiscard]] virtual std::vector<Place> find(std::span<const std::string> ids) = 0;
  /// A position in commit-safe reading order: opaque, starts at {}.
  struct Position {
    std::uint64_t transaction = 0;
    std::uint64_t position = 0;
    auto operator<=>(const Position&) const = default;
  };
  /// Events after `after`, in an order in which no event can appear later before one already read: events of
  /// transactions that may still have an older one running before them are held back.
  [[nodiscard]] virtual std::vector<std::pair<Position, Event>> read_all(Position after, std::size_t limit) = 0;
};

/// What was recorded but is not known to be at the broker.
class Outbox {
 public:
  virtual ~Outbox() = default;
  struct Entry {
    std::uint64_t position = 0;
    Event event;
  };
  /// The oldest entries by position; within a stream always in version order.
  [[nodiscard]] virtual std::vector<Entry> oldest(std::size_t limit) = 0;
  /// Removes those whose transaction can be seen already; answers which are gone, also those that were. A relay that
  /// reads the log may be a moment early: it removes the others again. A crash of the database within the next moments
  /// may undo the whole transaction, so nothing belongs into it whose effect has to stay.
  [[nodiscard]] virtual std::vector<std::uint64_t> remove(std::span<const std::uint64_t> positions) = 0;
  /// Those of the positions that were recorded, can be seen, and are gone: somebody has published them.
  [[nodiscard]] virtual std::vector<std::uint64_t> gone(std::span<const std::uint64_t> positions) = 0;
  struct Backlog {
    std::uint64_t entries = 0;  ///< counted up to `most`
    std::optional<TimePoint> oldest;
  };
  [[nodiscard]] virtual Backlog backlog(std::uint64_t most) = 0;
};

/// Why a message of the waiting room is not handled yet. Stored: never renumber.
enum class Waiting {
  retry = 1,   ///< its step failed; again at `due_at`
  gap = 2,     ///< an older version of its stream is missing; at `due_at` the wait is over
  behind = 3,  ///< an older message of its stream waits
  parked = 4,  ///< only a person continues it
};

/// A delivery that was taken over from the broker and could not be handled at once, with its original bytes.
struct WaitingMessage {
  std::string message_id;
  StreamName stream;  ///< of the event; empty when the headers could not be read
  std::uint64_t version = 0;
  Waiting state = Waiting::retry;
  std::string reason;
  std::uint32_t attempts = 0;
  TimePoint due_at{};
  ReasonClass reason_class = ReasonClass::technical;
  std::string step;             ///< that failed; empty where none had begun
  bool stuck = false;           ///< parked, or a compensation past its patience; stays until it is handled or discarded
  TimePoint first_failed_at{};  ///< or came to wait for others, while nothing was tried
  std::uint64_t sequence = 0;   ///< of the delivery
  Message message;
};

/// Deduplication and order of what one consumer hears, and the room where deliveries wait in order of their stream.
class Inbox {
 public:
  virtual ~Inbox() = default;
  struct Key {
    std::string message_id;
    TimePoint recorded_at{};  ///< of the event, so that a redelivery has the same partition
  };
  /// Claims each message; answers true where this call did, false where it was claimed before (also within `keys`).
  [[nodiscard]] virtual std::vector<bool> claim(std::string_view consumer, std::span<const Key> keys) = 0;
  /// The newest version applied of each stream, locked until the transaction ends. Absent: none was ever seen.
  [[nodiscard]] virtual std::map<StreamName, std::uint64_t> applied(std::string_view consumer,
                                                                    std::span<const StreamName> streams) = 0;
  virtual void set_applied(std::string_view consumer, const std::map<StreamName, std::uint64_t>& versions) = 0;
  /// Those of the streams that have messages in the waiting room.
  [[nodiscard]] virtual std::set<StreamName> waiting_streams(std::string_view consumer,
                                                             std::span<const StreamName> streams) = 0;
  /// Adds, or replaces by message id.
  virtual void put_waiting(std::string_view consumer, std::span<const WaitingMessage> messages) = 0;
  /// The heads of their streams that can be handled now: due, or next in version. Locked; skips what others hold.
  [[nodiscard]] virtual std::vector<WaitingMessage> take_due(std::string_view consumer, TimePoint now,
                                                             std::size_t limit) = 0;
  virtual void remove_waiting(std::string_view consumer, std::span<const std::string> message_ids) = 0;
  /// Which messages of the waiting room: those that meet everything that is set.
  struct Filter {
    std::vector<std::string> message_ids{};
    std::string saga_id{};
    std::string reason{};  ///< text in it
    std::optional<ReasonClass> reason_class{};
    bool stuck = false;
  };
  /// The oldest failure first. Waits for nobody and locks nothing.
  [[nodiscard]] virtual std::vector<WaitingMessage> look(std::string_view consumer, const Filter& filter,
                                                         std::size_t limit) = 0;
  /// Those of the messages that were claimed.
  [[nodiscard]] virtual std::set<std::string> claimed(std::string_view consumer,
                                                      std::span<const std::string> message_ids) = 0;
  /// One message of the waiting room, locked until the transaction ends.
  [[nodiscard]] virtual std::optional<WaitingMessage> find_waiting(std::string_view consumer,
                                                                   std::string_view message_id) = 0;
  /// The lowest version of the stream in the waiting room.
  [[nodiscard]] virtual std::optional<std::uint64_t> oldest_waiting(std::string_view consumer,
                                                                    const StreamName& stream) = 0;
  struct Count {
    Waiting state = Waiting::retry;
    bool stuck = false;
    ReasonClass reason_class = ReasonClass::technical;
    std::uint64_t messages = 0;
  };
  /// When the broker's durables were made, by name, unless that was noted before; answers what was noted first.
  [[nodiscard]] virtual std::map<std::string, std::string> note_durables(
      const std::map<std::string, std::string>& made) = 0;
  /// How many wait of each kind, among the first `most`.
  [[nodiscard]] virtual std::vector<Count> count_waiting(std::string_view consumer, std::uint64_t most) = 0;
};

/// A step that the clock starts.
struct Deadline {
  std::string id;    ///< UUID; the causation of what the step says
  std::string step;  ///< rpc name
  std::string key;   ///< of the aggregate
  std::string saga_id;
  std::string causation_id;  ///< the event of the step that armed it
  std::uint32_t hops = 0;
  std::string traceparent;
  TimePoint due_at{};
  std::uint32_t attempts = 0;
};

class Deadlines {
 public:
  virtual ~Deadlines() = default;
  virtual void arm(std::span<const Deadline> deadlines) = 0;
  /// Moves due_at and attempts of one that is still armed with fewer attempts. False, and nothing done, when it is not.
  virtual bool put_off(const Deadline& deadline) = 0;
  /// What is due, oldest first; locked; skips what others hold.
  [[nodiscard]] virtual std::vector<Deadline> take_due(TimePoint now, std::size_t limit) = 0;
  virtual void remove(std::string_view id) = 0;
  /// Of a saga, the next one first.
  [[nodiscard]] virtual std::vector<Deadline> armed(std::string_view saga_id, std::size_t limit) = 0;
  /// Makes what a saga has armed for a step due at `now`, unless it is already; answers what is armed. Waits for one
  /// that runs.
  virtual std::vector<Deadline> hurry(std::string_view saga_id, std::string_view step, TimePoint now) = 0;
  struct Backlog {
    std::uint64_t entries = 0;        ///< counted up to `most`
    std::optional<TimePoint> oldest;  ///< when the first is due
  };
  [[nodiscard]] virtual Backlog backlog(std::uint64_t most) = 0;
};

/// Counted resources (`account/alice` in cents, `item/clock` in pieces) with semantic locks on parts of them.
/// Always held <= total. Every change is one guarded, commutative statement.
class Quantities {
 public:
  virtual ~Quantities() = default;
  struct Quantity {
    std::int64_t total = 0;
    std::int64_t held = 0;
  };
  [[nodiscard]] virtual std::optional<Quantity> find(std::string_view resource) = 0;
  /// Adds to the total, creating the resource at zero. False (and nothing done) where total - held would be negative.
  [[nodiscard]] virtual bool add(std::string_view resource, std::int64_t delta) = 0;
  /// Holds `amount` for `holder` if that much is free; true also when this holder has it already.
  [[nodiscard]] virtual bool hold(std::string_view resource, std::string_view holder, std::int64_t amount,
                                  TimePoint expires_at) = 0;
  /// Gives back what the holder holds of the resource; the amount, 0 when it holds nothing.
  virtual std::int64_t release(std::string_view resource, std::string_view holder) = 0;
  /// Takes for good what the holder holds of the resource; the amount, 0 when it holds nothing.
  virtual std::int64_t settle(std::string_view resource, std::string_view holder) = 0;
  /// Holds past their time.
  struct Hold {
    std::string resource;
    std::string holder;
    std::int64_t amount = 0;
    TimePoint expires_at{};
  };
  [[nodiscard]] virtual std::vector<Hold> expired(TimePoint now, std::size_t limit) = 0;
};

/// A right that one process at a time has. The epoch grows with every change of owner and fences the old one.
struct Lease {
  std::string name;
  std::uint64_t epoch = 0;
};

/// Leases by the clock of the database alone.
class Leases {
 public:
  virtual ~Leases() = default;
  /// Takes or renews those of the names that are free, expired, or the owner's already. Others are absent.
  [[nodiscard]] virtual std::vector<Lease> acquire(std::span<const std::string> names, std::string_view owner,
                                                   std::chrono::milliseconds time_to_live) = 0;
  /// The same for no more than `most` of the names, the owner's own first.
  [[nodiscard]] virtual std::vector<Lease> acquire_some(std::span<const std::string> names, std::string_view owner,
                                                        std::chrono::milliseconds time_to_live, std::size_t most) = 0;
  /// Lets others have those of the names that are the owner's. Waits for transactions that have verified them.
  virtual void give_back(std::span<const std::string> names, std::string_view owner) = 0;
  /// How many leases whose name begins so somebody has.
  [[nodiscard]] virtual std::size_t held(std::string_view prefix) = 0;
  /// True when all leases are still at their epoch; then nobody can take one over before this transaction ends.
  [[nodiscard]] virtual bool verify(std::span<const Lease> leases, std::string_view owner) = 0;
  virtual void release(std::string_view owner) = 0;
};

/// The store behind the Idempotency-Key of an edge (IETF draft-ietf-httpapi-idempotency-key-header).
class IdempotencyKeys {
 public:
  virtual ~IdempotencyKeys() = default;
  struct Entry {
    std::string request_hash;
    bool done = false;  ///< false: IN_PROGRESS in another transaction
    int status = 0;
    std::string response;
  };
  /// Claims the key for this transaction (empty answer), or tells what is known of it. Expired keys are claimed anew.
  [[nodiscard]] virtual std::optional<Entry> claim(std::string_view scope, std::string_view key,
                                                   std::string_view request_hash, TimePoint now,
                                                   TimePoint expires_at) = 0;
  virtual void complete(std::string_view scope, std::string_view key, int status, std::string_view response) = 0;
};

/// What people did. Never changed or removed.
class AuditTrail {
 public:
  virtual ~AuditTrail() = default;
  struct Entry {
    std::string who;
    std::string act;
    std::string consumer;
    std::string message_id;
    std::string why;
    TimePoint at{};          ///< set by the store
    std::string original{};  ///< bytes that an edit replaced
  };
  virtual void record(const Entry& entry) = 0;
  /// The newest first.
  [[nodiscard]] virtual std::vector<Entry> newest(std::size_t limit) = 0;
};

/// One row of a query by step.sql(); absent for SQL NULL.
using SqlRow = std::vector<std::optional<std::string>>;

/// What a batch of deliveries has to know before its steps can run.
struct BatchStart {
  struct Question {
    std::span<const Lease> leases;  ///< that have to be held
    std::string_view owner;         ///< of the leases
    std::string_view consumer;
    std::span<const Inbox::Key> keys;        ///< to claim
    std::span<const StreamName> heard;       ///< by their newest applied version
    std::span<const StreamName> aggregates;  ///< to load
  };
  bool leases_held = false;  ///< false: the rest is of no use
  std::vector<bool> claimed{};
  std::map<StreamName, std::uint64_t> applied{};
  std::set<StreamName> waiting{};  ///< of the streams heard
  std::map<StreamName, std::vector<Event>> histories{};
};

/// One transaction; rolls back unless committed. Used by one thread.
class Transaction {
 public:
  virtual ~Transaction() = default;
  virtual EventLog& events() = 0;
  virtual Outbox& outbox() = 0;
  virtual Inbox& inbox() = 0;
  virtual Deadlines& deadlines() = 0;
  virtual Quantities& quantities() = 0;
  virtual Leases& leases() = 0;
  virtual IdempotencyKeys& idempotency() = 0;
  virtual AuditTrail& audit() = 0;
  /// Leases::verify, Inbox::claim, applied and waiting_streams, EventLog::load: where the store is another process, in
  /// one way there and back.
  [[nodiscard]] virtual BatchStart start_batch(const BatchStart::Question& question);
  /// A statement of the service's own, with parameters, never spliced text. Error(stop) where the store has no SQL.
  virtual std::vector<SqlRow> sql(std::string_view statement, std::span<const std::string> parameters) = 0;
  virtual void commit() = 0;
};

/// Thread-safe; transactions of different threads run at the same time.
class Store {
 public:
  virtual ~Store() = default;
  [[nodiscard]] virtual std::unique_ptr<Transaction> begin() = 0;
  /// Removes from the outbox what is at the broker, in a transaction of its own, provided that the lease is held;
  /// answers what Outbox::remove would, or nothing where the lease is another's.
  [[nodiscard]] virtual std::optional<std::vector<std::uint64_t>> remove_published(
      std::span<const std::uint64_t> positions, const Lease& lease, std::string_view owner);
  /// Tells relays in other processes that the outbox has grown. Cheap; coalesced to one signal every few milliseconds.
  virtual void ring() = 0;
  /// Housekeeping that may run at any time, about once an hour: partitions of the inbox made ahead and dropped past
  /// their retention, expired idempotency keys removed.
  virtual void maintain() = 0;
  /// Waits until another process rings, at most this long. True when it did. One thread at a time.
  virtual bool await_ring(std::chrono::milliseconds longest) = 0;
};

}  // namespace quadrille
