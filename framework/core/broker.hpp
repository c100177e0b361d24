#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// The port to the broker. Two implementations pass tests/contract/broker: framework/jetstream and framework/memory.
namespace quadrille {

/// What is on the wire: names and values as any client of the broker sees them.
struct Message {
  std::string subject;
  std::map<std::string, std::string> headers;
  std::string payload;

  bool operator==(const Message&) const = default;
};

/// A message in our hands until it is acknowledged or its time runs out and it is delivered again.
struct Delivery {
  Message message;
  std::string consumer;        ///< the durable it came through
  std::uint64_t sequence = 0;  ///< in the broker's stream
  std::uint32_t attempt = 1;   ///< deliveries so far, this one included
  std::string token;           ///< of the broker, for ack and keep
  std::uint64_t pending = 0;   ///< messages of the durable behind it that the broker had not delivered then
};

/// A durable of a participant: what it hears, in the order of the stream.
struct ConsumerSpec {
  std::string name;             ///< `<participant>-<context>-<lane>`
  std::string filter;           ///< `evt.<lane>.<context>.>`
  bool from_beginning = false;  ///< else from what is published after its creation
  std::chrono::milliseconds ack_wait{30'000};
  std::int64_t max_ack_pending = 256;
};

/// What the contract asks of the broker.
struct Topology {
  std::string stream = "EVT";
  std::vector<std::string> subjects{"evt.>"};
  std::chrono::seconds duplicate_window{600};
  std::chrono::seconds max_age{7 * 24 * 3600};
  std::uint32_t replicas = 1;  ///< servers that keep a copy of each stream and of the consumers' positions
  std::vector<ConsumerSpec> consumers;
  /// Key-value bucket in which instances say which contract they run; entries that are not renewed vanish. Empty: none.
  std::string registry = "quadrille_contracts";
  std::chrono::seconds registry_age{3600};
};

/// Where a key of a bucket is published.
[[nodiscard]] inline std::string bucket_subject(const std::string& bucket, const std::string& key) {
  return "$KV." + bucket + "." + key;
}

/// What became of a publication.
enum class Published {
  stored,   ///< the broker has it (also: had it already)
  unknown,  ///< no answer in time, or a duplicate that is not committed yet: publish again later
  refused,  ///< the broker forbids the subject: publishing again cannot help
};

/// Reads from several durables at once. Used by one thread.
class Receiver {
 public:
  virtual ~Receiver() = default;
  /// Replaces the set of durables that are read. What was fetched and not returned yet of others is given back.
  virtual void listen(std::vector<std::string> consumers) = 0;
  /// Up to `most` deliveries, waiting up to `longest` for the first. Empty when there is none, also while the broker is
  /// away: the receiver reconnects and pulls again by itself.
  [[nodiscard]] virtual std::vector<Delivery> receive(std::size_t most, std::chrono::milliseconds longest) = 0;
  /// Never throws for a broker that is away: the delivery then comes again and meets the inbox.
  virtual void ack(std::span<const Delivery> deliveries) = 0;
  /// Asks for more time (JetStream's +WPI).
  virtual void keep(std::span<const Delivery> deliveries) = 0;
  /// Has them delivered again at once, to whoever reads their durable then (JetStream's -NAK).
  virtual void give_back(std::span<const Delivery> deliveries) = 0;
};

/// How far a durable has come.
struct ConsumerProgress {
  std::string name;
  std::uint64_t pending = 0;         ///< messages it has not delivered yet
  std::uint64_t unacknowledged = 0;  ///< delivered
  std::uint64_t redelivered = 0;     ///< of those, more than once
  std::uint64_t delivered = 0;       ///< sequence of the newest message it has delivered
  std::uint64_t ack_floor = 0;       ///< of what it takes, everything up to this sequence is acknowledged
  std::string made;                  ///< when, as the broker says it: another one than before was made anew
};

/// The answer to a question. Called on a thread of its own, one question after the other, so it may take its time. Its
/// errors are answers: it may not throw.
using Answerer = std::function<std::string(const std::string& question)>;

/// Questions are answered until it is destroyed, which waits for the one in hand.
class Serving {
 public:
  virtual ~Serving() = default;
};

/// Thread-safe.
class Broker {
 public:
  virtual ~Broker() = default;
  /// Creates what is missing; where something is there but differs, throws Error(stop) that says what and how to mend.
  virtual void ensure(const Topology& topology) = 0;
  /// Sends all, waits for the answers (bounded), and tells what became of each, in order. The header `Nats-Msg-Id` of
  /// each must be set. Messages of one call may be stored in any order.
  [[nodiscard]] virtual std::vector<Published> publish(std::span<const Message> messages) = 0;
  [[nodiscard]] virtual std::unique_ptr<Receiver> receiver() = 0;
  /// Answers what is asked at a subject. Of those that serve it in one group, one answers; without a group, all do. The
  /// broker outlives what it returns.
  [[nodiscard]] virtual std::unique_ptr<Serving> serve(const std::string& subject, const std::string& group,
                                                       Answerer answer) = 0;
  /// Asks, and collects answers until there are `enough` or the time is up; at once none where nobody serves the
  /// subject. Throws Error(stop) where the broker forbids to ask there.
  [[nodiscard]] virtual std::vector<std::string> ask(const std::string& subject, const std::string& question,
                                                     std::size_t enough, std::chrono::milliseconds longest) = 0;
  /// Of those of the durables that are there and may be looked at.
  [[nodiscard]] virtual std::vector<ConsumerProgress> progress(std::span<const std::string> consumers) = 0;
  /// The largest message the broker takes, headers included, in bytes.
  [[nodiscard]] virtual std::size_t max_message_bytes() const = 0;
  /// False while the connection is down.
  [[nodiscard]] virtual bool connected() const = 0;
};

}  // namespace quadrille
