#pragma once

#include "core/broker.hpp"
#include "memory/switchboard.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace quadrille::memory {

/// A Broker in memory, for tests: one stream, durables with filters, acknowledgement times on the steady clock. Passes
/// the same contract suite as the one on JetStream. Thread-safe; outlives its receivers.
class MemoryBroker final : public Broker {
 public:
  void ensure(const Topology& topology) override;
  [[nodiscard]] std::vector<Published> publish(std::span<const Message> messages) override;
  [[nodiscard]] std::unique_ptr<Receiver> receiver() override;
  [[nodiscard]] std::unique_ptr<Serving> serve(const std::string& subject, const std::string& group,
                                               Answerer answer) override;
  [[nodiscard]] std::vector<std::string> ask(const std::string& subject, const std::string& question,
                                             std::size_t enough, std::chrono::milliseconds longest) override;
  [[nodiscard]] std::vector<ConsumerProgress> progress(std::span<const std::string> consumers) override;
  [[nodiscard]] std::size_t max_message_bytes() const override { return 1 << 20; }
  [[nodiscard]] bool connected() const override { return true; }

  /// Faults. The next `count` publications are stored but answered `unknown`.
  void lose_answers(std::size_t count);
  /// The next `count` acknowledgements are lost.
  void lose_acks(std::size_t count);
  /// Everything that is not acknowledged is delivered again now, newest first.
  void redeliver_in_reverse();
  /// Everything ever delivered to the durable is delivered again, acknowledged or not.
  void repeat_all(const std::string& consumer);

 private:
  friend class MemoryReceiver;
  using Time = std::chrono::steady_clock::time_point;
  struct Durable {
    ConsumerSpec spec;
    std::uint64_t next = 1;                 ///< sequence of the next message to look at
    std::map<std::uint64_t, Time> unacked;  ///< when each is delivered again
    std::map<std::uint64_t, std::uint32_t> deliveries;
    std::vector<std::uint64_t> again;  ///< to deliver before anything new
  };

  [[nodiscard]] bool next_delivery(const std::string& consumer, Delivery& delivery);

  Switchboard switchboard_;
  std::mutex mutex_;
  std::condition_variable published_;
  std::string stream_;
  std::vector<Message> messages_;  ///< by sequence, from 1
  std::set<std::string> ids_;
  std::map<std::string, Durable> durables_;
  std::size_t answers_to_lose_ = 0;
  std::size_t acks_to_lose_ = 0;
};

}  // namespace quadrille::memory
