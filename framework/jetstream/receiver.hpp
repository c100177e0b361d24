#pragma once

#include "core/broker.hpp"
#include "jetstream/connection.hpp"
#include "jetstream/handles.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace quadrille::jetstream {

/// Pulls from many durables at once over core NATS ($JS.API.CONSUMER.MSG.NEXT), all answers on one wildcard inbox. Not
/// natsSubscription_Fetch: before nats.c 3.8.3 it overflows its heap, and it stalls across restarts of the server.
///
/// Per durable one request is outstanding at a time. It is made anew when it is used up or has ended, when the
/// connection was lost, and when nothing was heard of it for two heartbeats: the only sign of a deleted consumer
/// that 2.9 gives.
class PullReceiver final : public Receiver {
 public:
  /// Asks and receives by `connection`, acknowledges by `acknowledging`; both outlive it.
  PullReceiver(Connection& connection, Connection& acknowledging, std::string stream,
               std::function<void(const std::string&)> warn);
  ~PullReceiver() override;

  void listen(std::vector<std::string> consumers) override;
  [[nodiscard]] std::vector<Delivery> receive(std::size_t most, std::chrono::milliseconds longest) override;
  void ack(std::span<const Delivery> deliveries) override;
  void keep(std::span<const Delivery> deliveries) override;
  void give_back(std::span<const Delivery> deliveries) override;

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Pull {
    std::uint64_t request = 0;  ///< number of the request that is outstanding
    int outstanding = 0;        ///< messages it may still bring
    Time heard{};
    Time not_before{};  ///< a request that failed is not repeated at once
  };

  static void on_message(natsConnection* connection, natsSubscription* subscription, natsMsg* message, void* self);
  static void on_complete(void* self);
  void take(natsMsg* message);
  void take_status(const std::string& subject, const std::string& status, const std::string& description);
  void pull_where_needed();
  void request(const std::string& consumer, Pull& pull, Time now);
  void answer(std::span<const Delivery> deliveries, const char* what);

  Connection& connection_;
  Connection& acknowledging_;
  const std::string stream_;
  const std::function<void(const std::string&)> warn_;
  std::string inbox_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::string, Pull> pulls_;
  std::map<std::uint64_t, std::string> consumer_of_request_;
  std::deque<Delivery> queue_;
  bool complete_ = false;  ///< no callback will come any more
  std::uint64_t requests_ = 0;
  std::uint64_t generation_ = 0;
  Subscription subscription_;
};

}  // namespace quadrille::jetstream
