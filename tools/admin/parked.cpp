#include "admin/parked.hpp"

#include "quadrille/error.hpp"
#include "runtime/supervision.hpp"

#include <span>

namespace quadrille::admin {
namespace {

constexpr std::size_t most_listed = 10'000;

}  // namespace

std::vector<WaitingMessage> Parked::list() { return store_.begin()->inbox().stuck(participant_, most_listed); }

std::optional<WaitingMessage> Parked::find(const std::string& message_id) {
  return store_.begin()->inbox().find_waiting(participant_, message_id);
}

bool Parked::retry(const std::string& message_id, const std::string& why) {
  const auto transaction = store_.begin();
  auto message = transaction->inbox().find_waiting(participant_, message_id);
  if (!message || !message->stuck) return false;
  message->state = Waiting::retry;
  message->attempts = 0;
  message->due_at = TimePoint{};  // now, whatever the clocks of two machines say
  transaction->inbox().put_waiting(participant_, std::span(&*message, 1));
  note(*transaction, "retry", message_id, why);
  transaction->commit();
  return true;
}

std::vector<std::string> Parked::retry_all(const std::string& text) {
  std::vector<std::string> retried;
  for (const auto& message : list())
    if (message.reason.find(text) != std::string::npos && retry(message.message_id, "all whose reason has: " + text))
      retried.push_back(message.message_id);
  return retried;
}

bool Parked::discard(const std::string& message_id, const std::string& because) {
  const auto transaction = store_.begin();
  auto& inbox = transaction->inbox();
  const auto message = inbox.find_waiting(participant_, message_id);
  if (!message || !message->stuck) return false;
  if (!message->stream.category.empty()) {
    const auto applied = inbox.applied(participant_, std::span(&message->stream, 1));  // locks the gate
    if (inbox.oldest_waiting(participant_, message->stream) != message->version)
      throw Error(Disposition::park, "an older message of stream " + message->stream.text() +
                                         " waits and would be lost too; decide about that one first");
    if (!applied.contains(message->stream) || applied.at(message->stream) < message->version)
      inbox.set_applied(participant_, {{message->stream, message->version}});
  }
  inbox.remove_waiting(participant_, std::span(&message_id, 1));
  runtime::say_resumed(*transaction, {participant_, ""}, *message, v1::StepResumed::DISCARDED, because, clock_.now());
  note(*transaction, "discard", message_id, because);
  transaction->commit();
  store_.ring();
  return true;
}

void Parked::note(Transaction& transaction, const std::string& act, const std::string& message_id,
                  const std::string& why) {
  transaction.audit().record({who_, act, participant_, message_id, why, {}});
}

}  // namespace quadrille::admin
