#include "admin/trace.hpp"

#include "asking/asker.hpp"
#include "quadrille/error.hpp"

#include <algorithm>
#include <map>

namespace quadrille::admin {
namespace {

using control::v1::Answer;

constexpr std::chrono::seconds patience{10};

Answer locate(const asking::Asker& asker, const std::string& participant, const std::string& id) {
  control::v1::Ask ask;
  ask.mutable_locate()->add_event_id(id);
  ask.mutable_locate()->set_saga_id(id);
  try {
    return asker.ask(participant, ask, patience);
  } catch (const asking::Silent& silent) {
    Answer answer;
    answer.set_participant(participant);
    answer.mutable_failure()->set_kind(control::v1::Failure::UNAVAILABLE);
    answer.mutable_failure()->set_text(silent.what());
    return answer;
  }
}

/// Where to look in the stream: what its recorder says, or the whole; nowhere for what only a saga's id is known of.
std::optional<std::string> subject_of(const Trace& trace) {
  bool saga = false;
  for (const auto& answer : trace.said) {
    for (const auto& event : answer.located().event())
      if (event.has_recorded())
        return event.recorded().published() ? std::optional(event.recorded().subject()) : std::nullopt;
    saga = saga || answer.located().waiting_size() > 0 || answer.located().deadline_size() > 0;
  }
  return saga ? std::nullopt : std::optional<std::string>("evt.>");
}

std::optional<Trace::InStream> find_in_stream(const jetstream::JetStreamSettings& settings, const std::string& subject,
                                              const std::string& id) {
  std::optional<Trace::InStream> found;
  jetstream::read_stream(settings, Topology{}.stream, subject, [&](const Delivery& delivery) {
    const auto& headers = delivery.message.headers;
    const auto header = [&](const char* name) {
      const auto there = headers.find(name);
      return there == headers.end() ? std::string{} : there->second;
    };
    if (!found && (header("ce-id") == id || header("Nats-Msg-Id") == id))
      found = Trace::InStream{delivery.sequence, delivery.message.subject, header("ce-type"), header("ce-stream"),
                              header("ce-sagaid")};
  });
  return found;
}

/// Filters of durables end in `.>`.
bool takes(const ConsumerSpec& consumer, const std::string& subject) {
  return subject.starts_with(consumer.filter.substr(0, consumer.filter.size() - 1));
}

void add_consumers(Trace& trace, Broker& broker, const std::vector<Member>& members) {
  std::vector<std::string> names;
  std::map<std::string, std::string> owners;
  for (const auto& member : members)
    for (const auto& consumer : member.consumers)
      if (takes(consumer, trace.in_stream->subject)) {
        names.push_back(consumer.name);
        owners[consumer.name] = member.participant;
      }
  const auto sequence = trace.in_stream->sequence;
  for (const auto& progress : broker.progress(names))
    trace.consumers.push_back({owners[progress.name], progress.name,
                               sequence > progress.delivered   ? "pending"
                               : sequence > progress.ack_floor ? "delivered"
                                                               : "acknowledged"});
  std::ranges::sort(trace.consumers, {}, &Trace::AtConsumer::consumer);
}

}  // namespace

bool Trace::found() const {
  return in_stream || std::ranges::any_of(said, [](const Answer& answer) {
           const auto& located = answer.located();
           return located.waiting_size() > 0 || located.deadline_size() > 0 ||
                  std::ranges::any_of(located.event(), [](const auto& event) {
                    return event.has_recorded() || event.claimed() || event.has_waiting();
                  });
         });
}

Trace trace(Broker& broker, const jetstream::JetStreamSettings& settings, const std::vector<Member>& members,
            const std::string& id) {
  Trace trace;
  trace.id = id;
  const asking::Asker asker(broker);
  for (const auto& member : members) trace.said.push_back(locate(asker, member.participant, id));
  if (const auto subject = subject_of(trace)) trace.in_stream = find_in_stream(settings, *subject, id);
  if (trace.in_stream) add_consumers(trace, broker, members);
  return trace;
}

}  // namespace quadrille::admin
