#pragma once

#include "core/broker.hpp"
#include "quadrille/error.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace quadrille::support {

/// A broker for relays: remembers what was sent, call by call, and answers by a function. Thread-safe, but for
/// `answer`, which is set before anybody publishes.
class ScriptedBroker final : public Broker {
 public:
  void ensure(const Topology&) override {}
  [[nodiscard]] std::vector<Published> publish(std::span<const Message> messages) override {
    const std::scoped_lock one_call(publishing_);
    {
      const std::scoped_lock lock(mutex_);
      calls_.emplace_back(messages.begin(), messages.end());
    }
    std::vector<Published> answers;
    for (const auto& message : messages) answers.push_back(answer(message));
    return answers;
  }
  [[nodiscard]] std::unique_ptr<Receiver> receiver() override {
    throw Error(Disposition::stop, "nobody receives here");
  }
  [[nodiscard]] std::unique_ptr<Serving> serve(const std::string&, const std::string&, Answerer) override {
    throw Error(Disposition::stop, "nobody serves here");
  }
  [[nodiscard]] std::vector<std::string> ask(const std::string&, const std::string&, std::size_t,
                                             std::chrono::milliseconds) override {
    return {};
  }
  [[nodiscard]] std::vector<ConsumerProgress> progress(std::span<const std::string>) override { return {}; }
  [[nodiscard]] std::size_t max_message_bytes() const override { return 1 << 20; }
  [[nodiscard]] bool connected() const override { return true; }

  /// `stream@version` of every message, in the order of the calls.
  [[nodiscard]] std::vector<std::string> sent() {
    std::vector<std::string> all;
    for (const auto& call : calls())
      for (const auto& message : call)
        all.push_back(message.headers.at("ce-stream") + "@" + message.headers.at("ce-version"));
    return all;
  }
  [[nodiscard]] std::vector<std::vector<Message>> calls() {
    const std::scoped_lock lock(mutex_);
    return calls_;
  }

  std::function<Published(const Message&)> answer = [](const Message&) { return Published::stored; };

 private:
  std::mutex publishing_;
  std::mutex mutex_;
  std::vector<std::vector<Message>> calls_;
};

}  // namespace quadrille::support
