#pragma once

#include "core/broker.hpp"
#include "jetstream/connection.hpp"
#include "jetstream/handles.hpp"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace quadrille::jetstream {

/// Asynchronous publication of a batch, waited for as a whole. Thread-safe; one batch at a time.
class Publisher {
 public:
  /// `duplicate` is called, on a thread of nats.c, for each message the server had already.
  Publisher(Connection& connection, std::chrono::milliseconds timeout, std::function<void()> duplicate);
  ~Publisher();

  [[nodiscard]] std::vector<Published> publish(std::span<const Message> messages);

 private:
  void send(std::size_t index, const Message& message);
  void answered(const std::string& id, Published meaning);
  static void on_answer(jsCtx* context, natsMsg* message, jsPubAck* ack, jsPubAckErr* error, void* self);

  Connection& connection_;
  const std::chrono::milliseconds timeout_;
  const std::function<void()> duplicate_;
  std::mutex one_batch_;
  std::mutex mutex_;
  std::condition_variable all_answered_;
  std::map<std::string, std::size_t> waiting_;  ///< index in the batch by message id
  std::vector<Published> answers_;
  JetStreamContext context_;
};

}  // namespace quadrille::jetstream
