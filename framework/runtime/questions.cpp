#include "runtime/questions.hpp"

#include "core/timestamp.hpp"
#include "core/utf8.hpp"
#include "runtime/control_messages.hpp"
#include "runtime/supervision.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace quadrille::runtime {
namespace {

using Why = control::v1::Failure;

constexpr std::size_t usual_list = 100;
constexpr std::size_t longest_list = 1'000;
constexpr int most_events = 100;
constexpr std::size_t most_of_a_saga = 200;

/// Ids that no store can hold are nobody's.
std::vector<std::string> texts(const google::protobuf::RepeatedPtrField<std::string>& ids) {
  std::vector<std::string> result;
  std::ranges::copy_if(ids, std::back_inserter(result), [](const auto& id) { return is_text(id); });
  return result;
}

void check_text(const std::string& text, const char* what) {
  if (!is_text(text)) throw Refusal(Why::REFUSED, std::string(what) + " is not text");
}

}  // namespace

control::v1::StuckMessages Questions::list(const control::v1::ListStuck& asked) const {
  check_text(asked.reason(), "reason");
  check_text(asked.saga_id(), "saga_id");
  Inbox::Filter filter{.saga_id = asked.saga_id(), .reason = asked.reason(), .stuck = true};
  if (asked.reason_class() != v1::REASON_CLASS_UNSPECIFIED)
    filter.reason_class = static_cast<ReasonClass>(asked.reason_class());
  const auto limit = asked.limit() == 0 ? usual_list : std::min<std::size_t>(asked.limit(), longest_list);
  const auto found = store_.begin()->inbox().look(participant_, filter, limit + 1);
  control::v1::StuckMessages listed;
  for (const auto& message : std::span(found).first(std::min(limit, found.size())))
    *listed.add_message() = summary_of(message);
  listed.set_more(found.size() > limit);
  return listed;
}

control::v1::StuckMessage Questions::show(const control::v1::ShowStuck& asked) const {
  check_text(asked.message_id(), "message_id");
  const auto found = store_.begin()->inbox().look(participant_, {.message_ids = {asked.message_id()}}, 1);
  if (found.empty()) throw Refusal(Why::NOT_FOUND, "no message " + asked.message_id() + " waits at " + participant_);
  return in_full(found.front());
}

control::v1::Located Questions::locate(const control::v1::Locate& asked) const {
  if (asked.event_id().empty() && asked.saga_id().empty())
    throw Refusal(Why::REFUSED, "Locate names neither an event nor a saga");
  if (asked.event_id_size() > most_events)
    throw Refusal(Why::REFUSED, "Locate names more than " + std::to_string(most_events) + " events; ask in parts");
  check_text(asked.saga_id(), "saga_id");
  const auto transaction = store_.begin();
  control::v1::Located located;
  if (!asked.event_id().empty()) locate_events(asked, *transaction, located);
  if (!asked.saga_id().empty()) locate_saga(asked.saga_id(), *transaction, located);
  return located;
}

void Questions::locate_events(const control::v1::Locate& asked, Transaction& transaction,
                              control::v1::Located& located) const {
  const auto ids = texts(asked.event_id());
  if (ids.empty()) return;
  std::map<std::string, control::v1::EventPlace> places;
  for (const auto& id : ids) places[id].set_event_id(id);
  for (const auto& place : transaction.events().find(ids)) {
    auto& recorded = *places[place.event.id].mutable_recorded();
    places[place.event.id].set_event_id(place.event.id);
    recorded.set_stream(place.event.stream.text());
    recorded.set_version(place.event.version);
    recorded.set_position(place.position);
    recorded.set_subject(place.event.subject);
    recorded.set_type(place.event.type);
    recorded.set_saga_id(place.event.saga_id);
    *recorded.mutable_recorded_at() = to_timestamp(place.event.recorded_at);
    recorded.set_published(place.published);
  }
  for (const auto& id : transaction.inbox().claimed(participant_, ids)) places[id].set_claimed(true);
  for (const auto& message : transaction.inbox().look(participant_, {.message_ids = ids}, ids.size()))
    *places[message.message_id].mutable_waiting() = summary_of(message);
  for (auto& [id, place] : places) *located.add_event() = std::move(place);
}

void Questions::locate_saga(const std::string& saga_id, Transaction& transaction, control::v1::Located& located) const {
  for (const auto& message : transaction.inbox().look(participant_, {.saga_id = saga_id}, most_of_a_saga))
    *located.add_waiting() = summary_of(message);
  for (const auto& deadline : transaction.deadlines().armed(saga_id, most_of_a_saga)) {
    auto& armed = *located.add_deadline();
    armed.set_step(deadline.step);
    armed.set_key(deadline.key);
    *armed.mutable_due_at() = to_timestamp(deadline.due_at);
    armed.set_attempts(deadline.attempts);
  }
}

}  // namespace quadrille::runtime
