#include "runtime/desk.hpp"

#include "runtime/acts.hpp"
#include "runtime/control_messages.hpp"

namespace quadrille::runtime {
namespace {

using control::v1::Answer;
using control::v1::Ask;
using Why = control::v1::Failure;

constexpr std::uint32_t most_at_once = 1'000;

void check_found(bool found, const std::string& what) {
  if (!found) throw Refusal(Why::NOT_FOUND, what);
}

std::string nothing_stuck(const std::string& message_id) { return "no message " + message_id + " is stuck here"; }

}  // namespace

bool is_act(const Ask& ask) {
  switch (ask.what_case()) {
    case Ask::kRetry:
    case Ask::kRetryAll:
    case Ask::kDiscard:
    case Ask::kFireTimer:
    case Ask::kNote:
      return true;
    default:
      return false;
  }
}

void Desk::answer(const Ask& ask, Answer& answer) const {
  or_failure(answer, [&] {
    switch (ask.what_case()) {
      case Ask::kLocate:
        *answer.mutable_located() = questions_.locate(ask.locate());
        return;
      case Ask::kListStuck:
        *answer.mutable_stuck() = questions_.list(ask.list_stuck());
        return;
      case Ask::kShowStuck:
        *answer.mutable_shown() = questions_.show(ask.show_stuck());
        return;
      case Ask::kRetryAll:
        return retry_all(ask, *answer.mutable_done());
      case Ask::kRetry:
      case Ask::kDiscard:
      case Ask::kFireTimer:
      case Ask::kNote:
        return act(ask, *answer.mutable_done());
      default:
        throw Refusal(Why::REFUSED, "nothing is asked that framework " QUADRILLE_VERSION " knows");
    }
  });
}

void Desk::act(const Ask& ask, control::v1::ActDone& done) const {
  Acts acts(store_, clock_, speaker_, {ask.who(), ask.why()});
  if (ask.has_retry()) {
    const auto& retry = ask.retry();
    const Acts::Edit edit = [&](const WaitingMessage& message) {
      return payload_from_json(message, retry.payload_json());
    };
    check_found(acts.retry(retry.message_id(), retry.has_payload_json() ? edit : Acts::Edit()),
                nothing_stuck(retry.message_id()));
    done.add_message_id(retry.message_id());
  } else if (ask.has_discard()) {
    check_found(acts.discard(ask.discard().message_id()), nothing_stuck(ask.discard().message_id()));
    done.add_message_id(ask.discard().message_id());
  } else if (ask.has_fire_timer()) {
    const auto& timer = ask.fire_timer();
    check_found(acts.fire_timer(timer.saga_id(), timer.step(), timer.retry() ? "retry" : "cancel"),
                "saga " + timer.saga_id() + " has no timer step '" + timer.step() + "' armed here");
  } else {
    acts.note(ask.note().saga_id(), ask.note().act());
  }
}

void Desk::retry_all(const Ask& ask, control::v1::ActDone& done) const {
  const auto& asked = ask.retry_all();
  if (asked.reason().empty() && asked.reason_class() == v1::REASON_CLASS_UNSPECIFIED)
    throw Refusal(Why::REFUSED, "RetryAll names neither a class nor a part of the reason");
  control::v1::ListStuck which;
  which.set_reason(asked.reason());
  which.set_reason_class(asked.reason_class());
  which.set_limit(most_at_once);
  done.set_dry_run(asked.dry_run());
  const auto listed = questions_.list(which);
  done.set_more(listed.more());
  if (asked.dry_run()) {
    for (const auto& message : listed.message()) done.add_message_id(message.message_id());
    return;
  }
  Acts acts(store_, clock_, speaker_, {ask.who(), ask.why()});
  for (const auto& message : listed.message())
    if (acts.retry(message.message_id())) done.add_message_id(message.message_id());
}

}  // namespace quadrille::runtime
