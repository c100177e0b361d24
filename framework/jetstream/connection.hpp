#pragma once

#include "jetstream/handles.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "quadrille/error.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace quadrille::jetstream {

/// The server says that nobody takes questions on that subject, as it does of the API of a JetStream that is off.
class NobodyServes final : public Error {
 public:
  explicit NobodyServes(const std::string& subject) : Error(Disposition::retry, "nobody serves " + subject) {}
};

/// One connection to the servers, which reconnects for ever. Thread-safe. The callbacks of nats.c come on its threads.
class Connection {
 public:
  /// `send_asap`: each write goes out at once instead of up to a millisecond later. Waits for the server up to
  /// connect_timeout.
  Connection(const JetStreamSettings& settings, const std::string& role, bool send_asap);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] natsConnection* get() const { return handle_.get(); }
  [[nodiscard]] bool connected() const { return natsConnection_Status(handle_.get()) == NATS_CONN_STATUS_CONNECTED; }
  /// How often it has reconnected: what was asked for before is lost when this changes.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  /// The server has refused this connection's publications, or its subscription, to the subject.
  [[nodiscard]] bool is_refused(const std::string& subject) const;
  /// Before the subject is tried again: rights may have changed.
  void forget_refusal(const std::string& subject);
  /// A subject of our own, below the prefix that permissions are given for.
  [[nodiscard]] std::string new_inbox() const;
  /// A request and its answer; NobodyServes, and check() on other failures.
  [[nodiscard]] std::string request(const std::string& subject, const std::string& body,
                                    std::chrono::milliseconds timeout) const;

 private:
  void configure(natsOptions* options, const JetStreamSettings& settings, const std::string& role, bool send_asap);
  void connect(natsOptions* options, const JetStreamSettings& settings);
  static void on_error(natsConnection* connection, natsSubscription* subscription, natsStatus status, void* self);
  static void on_reconnected(natsConnection* connection, void* self);
  static void on_disconnected(natsConnection* connection, void* self);
  static void on_closed(natsConnection* connection, void* self);

  const std::string shown_url_;
  const std::string inbox_prefix_;
  const std::function<void(const std::string&)> warn_;
  const std::function<void()> reconnected_;
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<bool> closing_{false};
  mutable std::mutex mutex_;
  std::condition_variable closed_;
  bool is_closed_ = false;
  std::set<std::string> refused_;
  ConnectionHandle handle_;
};

}  // namespace quadrille::jetstream
