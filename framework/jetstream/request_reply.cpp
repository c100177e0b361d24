#include "jetstream/request_reply.hpp"

#include "jetstream/handles.hpp"
#include "jetstream/inquiry.hpp"
#include "jetstream/translate.hpp"

#include <cstdint>
#include <thread>
#include <utility>

namespace quadrille::jetstream {
namespace {

constexpr std::int64_t longest_wait_ms = 1'000;
constexpr std::int64_t flush_ms = 2'000;
constexpr int most_queued = 1'000;  // questions: whoever asks more than that at once hears nothing of the rest

/// Takes questions off a synchronous subscription by a thread of its own: callbacks of nats.c share a thread with
/// deliveries, and an answer may wait for a database.
class NatsServing final : public Serving {
 public:
  NatsServing(Connection& connection, const std::string& subject, const std::string& group, Answerer answer,
              std::function<void(const std::string&)> warn)
      : connection_(connection), subject_(subject), answer_(std::move(answer)), warn_(std::move(warn)) {
    natsSubscription* raw = nullptr;
    check(group.empty() ? natsConnection_SubscribeSync(&raw, connection.get(), subject.c_str())
                        : natsConnection_QueueSubscribeSync(&raw, connection.get(), subject.c_str(), group.c_str()),
          "subscribe to " + subject);
    subscription_.reset(raw);
    check(natsSubscription_SetPendingLimits(raw, most_queued, -1), "set the pending limits");
    // So that what is asked from now on is heard. A connection that is down tells the server when it is back.
    static_cast<void>(natsConnection_FlushTimeout(connection.get(), flush_ms));
    thread_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
  }
  ~NatsServing() override {
    thread_.request_stop();
    natsSubscription_Unsubscribe(subscription_.get());  // wakes the thread
    thread_.join();
  }
  NatsServing(const NatsServing&) = delete;
  NatsServing& operator=(const NatsServing&) = delete;

 private:
  void run(const std::stop_token& stopping) {
    while (!stopping.stop_requested()) {
      natsMsg* raw = nullptr;
      const auto status = natsSubscription_NextMsg(&raw, subscription_.get(), longest_wait_ms);
      if (status == NATS_TIMEOUT || status == NATS_SLOW_CONSUMER) continue;
      if (status != NATS_OK) {
        if (!stopping.stop_requested())
          warn_("nothing is answered at " + subject_ + " any more: " + natsStatus_GetText(status));
        return;
      }
      const Msg owned(raw);
      const char* reply = natsMsg_GetReply(raw);
      const auto answer = answer_({natsMsg_GetData(raw), static_cast<std::size_t>(natsMsg_GetDataLength(raw))});
      // Whoever asked asks again where this is lost.
      if (reply != nullptr)
        static_cast<void>(
            natsConnection_Publish(connection_.get(), reply, answer.data(), static_cast<int>(answer.size())));
    }
  }

  Connection& connection_;
  const std::string subject_;
  const Answerer answer_;
  const std::function<void(const std::string&)> warn_;
  Subscription subscription_;
  std::jthread thread_;
};

}  // namespace

std::unique_ptr<Serving> serve(Connection& connection, const std::string& subject, const std::string& group,
                               Answerer answer, std::function<void(const std::string&)> warn) {
  return std::make_unique<NatsServing>(connection, subject, group, std::move(answer), std::move(warn));
}

std::vector<std::string> ask(Connection& connection, const std::string& subject, const std::string& question,
                             std::size_t enough, std::chrono::milliseconds longest) {
  Inquiry inquiry(connection, longest);
  inquiry.send(subject, question);
  std::vector<std::string> answers;
  while (answers.size() < enough) {
    auto answer = inquiry.next();
    if (!answer) break;
    answers.push_back(std::move(answer->payload));
  }
  if (!inquiry.refused().empty())
    throw Error(Disposition::stop,
                "the broker forbids this user to ask at " + subject +
                    "; `quadrille export --format nats-permissions` says who may",
                ReasonClass::configuration);
  return answers;
}

}  // namespace quadrille::jetstream
