#include "jetstream/inquiry.hpp"

#include "jetstream/translate.hpp"
#include "jetstream/wire.hpp"

#include <algorithm>
#include <cstdint>

namespace quadrille::jetstream {
namespace {

/// A refusal comes as an error of the connection, which wakes nobody who waits for an answer.
constexpr std::chrono::milliseconds between_looks_at_refusals{50};

}  // namespace

Inquiry::Inquiry(Connection& connection, std::chrono::milliseconds longest)
    : connection_(connection), end_(std::chrono::steady_clock::now() + longest), inbox_(connection.new_inbox()) {
  natsSubscription* raw = nullptr;
  check(natsConnection_SubscribeSync(&raw, connection.get(), inbox_.c_str()), "subscribe to an inbox");
  subscription_.reset(raw);
  check(natsSubscription_SetPendingLimits(raw, -1, -1), "lift the pending limits");  // what is asked for bounds it
}

void Inquiry::send(const std::string& subject, const std::string& question) {
  connection_.forget_refusal(subject);
  check(natsConnection_PublishRequest(connection_.get(), subject.c_str(), inbox_.c_str(), question.data(),
                                      static_cast<int>(question.size())),
        "ask at " + subject);
  asked_.push_back(subject);
}

std::optional<Message> Inquiry::next() {
  for (auto now = std::chrono::steady_clock::now(); now < end_ && silent_ + refused_.size() < asked_.size();
       now = std::chrono::steady_clock::now()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - now) + std::chrono::milliseconds(1);
    natsMsg* raw = nullptr;
    const auto status = natsSubscription_NextMsg(
        &raw, subscription_.get(), static_cast<std::int64_t>(std::min(left, between_looks_at_refusals).count()));
    if (status == NATS_TIMEOUT || status == NATS_NOT_PERMITTED) {
      if (note_refusals()) continue;
      return std::nullopt;
    }
    if (status == NATS_NO_RESPONDERS) {
      ++silent_;
      continue;
    }
    check(status, "wait for an answer");
    const Msg owned(raw);
    return from_nats(raw);
  }
  return std::nullopt;
}

/// False when no answer can come at all.
bool Inquiry::note_refusals() {
  if (connection_.is_refused(inbox_)) {
    connection_.forget_refusal(inbox_);
    throw Error(Disposition::stop,
                "the broker forbids this user to hear answers at " + inbox_ +
                    "; its permissions are for _INBOX_<user>: connect under the user's own name",
                ReasonClass::configuration);
  }
  for (const auto& subject : asked_)
    if (std::ranges::find(refused_, subject) == refused_.end() && connection_.is_refused(subject))
      refused_.push_back(subject);
  return silent_ + refused_.size() < asked_.size();
}

}  // namespace quadrille::jetstream
