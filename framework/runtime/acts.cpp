#include "runtime/acts.hpp"

#include "core/utf8.hpp"
#include "quadrille/error.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace quadrille::runtime {
namespace {

constexpr std::size_t longest_who = 200;
constexpr std::size_t longest_why = 2'000;
constexpr std::size_t longest_act = 200;
constexpr std::array<std::string_view, 3> own_acts{"retry", "discard", "cancel"};

void check(const std::string& what, const std::string& text, std::size_t longest) {
  const bool blank = text.find_first_not_of(" \t\r\n") == std::string::npos;
  if (blank || text.size() > longest || !is_text(text))
    throw Error(Disposition::park, "an act needs " + what + ": text of at most " + std::to_string(longest) + " bytes" +
                                       (blank ? ", and there is none" : ""));
}

}  // namespace

Acts::Acts(Store& store, const Clock& clock, Speaker speaker, Hand hand)
    : store_(store), clock_(clock), speaker_(std::move(speaker)), hand_(std::move(hand)) {
  check("who does it", hand_.who, longest_who);
  check("why", hand_.why, longest_why);
}

bool Acts::retry(const std::string& message_id, const Edit& edit) {
  const auto transaction = store_.begin();
  auto message = transaction->inbox().find_waiting(speaker_.participant, message_id);
  if (!message || !message->stuck) return false;
  std::string original;
  if (edit) {
    original = message->message.payload;
    message->message.payload = edit(*message);
  }
  message->state = Waiting::retry;
  message->attempts = 0;
  message->due_at = TimePoint{};  // now, whatever the clocks of two machines say
  transaction->inbox().put_waiting(speaker_.participant, std::span(&*message, 1));
  if (const auto stuck = stuck_step(*message)) say_act(*transaction, speaker_, *stuck, "retry", hand_, clock_.now());
  record(*transaction, "retry", message_id, original);
  transaction->commit();
  store_.ring();
  return true;
}

bool Acts::discard(const std::string& message_id) {
  const auto transaction = store_.begin();
  auto& inbox = transaction->inbox();
  const auto& participant = speaker_.participant;
  const auto message = inbox.find_waiting(participant, message_id);
  if (!message || !message->stuck) return false;
  if (!message->stream.category.empty()) {
    const auto applied = inbox.applied(participant, std::span(&message->stream, 1));  // locks the gate
    if (inbox.oldest_waiting(participant, message->stream) != message->version) throw StillBehind(message->stream);
    if (!applied.contains(message->stream) || applied.at(message->stream) < message->version)
      inbox.set_applied(participant, {{message->stream, message->version}});
  }
  inbox.remove_waiting(participant, std::span(&message_id, 1));
  if (const auto stuck = stuck_step(*message)) {
    say_act(*transaction, speaker_, *stuck, "discard", hand_, clock_.now());
    say_resumed(*transaction, speaker_, *stuck, v1::StepResumed::DISCARDED, hand_.why, clock_.now());
  }
  record(*transaction, "discard", message_id);
  transaction->commit();
  store_.ring();
  return true;
}

bool Acts::fire_timer(const std::string& saga_id, const std::string& step, const std::string& act) {
  const auto transaction = store_.begin();
  const auto armed = transaction->deadlines().hurry(saga_id, step, clock_.now());
  if (armed.empty()) return false;
  auto timer = stuck_step(armed.front());
  timer.message_id.clear();  // the act is about the saga
  say_act(*transaction, speaker_, timer, act, hand_, clock_.now());
  record(*transaction, act, saga_id);
  transaction->commit();
  store_.ring();
  return true;
}

void Acts::note(const std::string& saga_id, const std::string& act) {
  check("a saga", saga_id, longest_act);
  check("what is declared", act, longest_act);
  if (std::ranges::find(own_acts, act) != own_acts.end())
    throw Error(Disposition::park, "'" + act + "' is an act of its own and cannot be declared only");
  const auto transaction = store_.begin();
  StuckStep saga;
  saga.cause.saga_id = saga_id;
  say_act(*transaction, speaker_, saga, act, hand_, clock_.now());
  record(*transaction, act, saga_id);
  transaction->commit();
  store_.ring();
}

void Acts::record(Transaction& transaction, const std::string& act, const std::string& about,
                  const std::string& original) const {
  transaction.audit().record({hand_.who, act, speaker_.participant, about, hand_.why, {}, original});
}

}  // namespace quadrille::runtime
