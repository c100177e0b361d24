#include "casefile/case_events.hpp"

#include "core/timestamp.hpp"

namespace quadrille::casefile {

v1::RecordedEvent to_recorded(const Event& event) {
  v1::RecordedEvent recorded;
  recorded.set_id(event.id);
  recorded.set_type(event.type);
  recorded.set_source(event.source);
  recorded.set_subject(event.subject);
  recorded.set_category(event.stream.category);
  recorded.set_key(event.stream.key);
  recorded.set_version(event.version);
  recorded.set_saga_id(event.saga_id);
  recorded.set_causation_id(event.causation_id);
  recorded.set_hops(event.hops);
  recorded.set_contract(event.contract);
  recorded.set_traceparent(event.traceparent);
  *recorded.mutable_recorded_at() = to_timestamp(event.recorded_at);
  recorded.set_payload(event.payload);
  return recorded;
}

Event to_event(const v1::RecordedEvent& recorded) {
  Event event;
  event.id = recorded.id();
  event.type = recorded.type();
  event.source = recorded.source();
  event.subject = recorded.subject();
  event.stream = {recorded.category(), recorded.key()};
  event.version = recorded.version();
  event.saga_id = recorded.saga_id();
  event.causation_id = recorded.causation_id();
  event.hops = recorded.hops();
  event.contract = recorded.contract();
  event.traceparent = recorded.traceparent();
  event.recorded_at = to_time(recorded.recorded_at());
  event.payload = recorded.payload();
  return event;
}

std::vector<Event> events_of(const v1::Case& one) {
  std::vector<Event> events;
  for (const auto& event : one.event()) events.push_back(to_event(event));
  return events;
}

}  // namespace quadrille::casefile
