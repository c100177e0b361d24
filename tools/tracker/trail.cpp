#include "tracker/trail.hpp"

#include "quadrille/error.hpp"
#include "quadrille/tracker/v1/trail.pb.h"

#include <algorithm>
#include <utility>

namespace quadrille::tracker {

bool is_supervision(const Event& event) { return event.stream.category == "supervision"; }

Trail::Added Trail::add(const Recorded& recorded) {
  const auto known =
      std::ranges::find_if(events_, [&](const Recorded& one) { return one.event.id == recorded.event.id; });
  if (known != events_.end())
    return std::exchange(known->sequence, recorded.sequence) == recorded.sequence ? Added::nothing : Added::sequence;
  events_.push_back(recorded);
  auto& event = events_.back().event;
  event.subject.clear();
  event.saga_id.clear();
  if (!is_supervision(event)) event.payload.clear();
  return Added::event;
}

std::string Trail::pack() const {
  v1::Trail trail;
  trail.set_saga_id(saga_id_);
  for (const auto& [event, sequence] : events_) {
    auto& entry = *trail.add_entry();
    entry.set_id(event.id);
    entry.set_type(event.type);
    entry.set_source(event.source);
    entry.set_category(event.stream.category);
    entry.set_key(event.stream.key);
    entry.set_version(event.version);
    entry.set_causation_id(event.causation_id);
    entry.set_hops(event.hops);
    entry.set_contract(event.contract);
    entry.set_recorded_at_us(event.recorded_at.time_since_epoch().count());
    entry.set_sequence(sequence);
    entry.set_payload(event.payload);
    entry.set_traceparent(event.traceparent);
  }
  return trail.SerializeAsString();
}

Trail Trail::unpack(std::string_view bytes) {
  v1::Trail from;
  if (!from.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    throw Error(Disposition::stop, "the tracker's database holds a trail that is none; rebuild it");
  Trail trail(from.saga_id());
  for (const auto& entry : from.entry()) {
    Event event;
    event.id = entry.id();
    event.type = entry.type();
    event.source = entry.source();
    event.stream = {entry.category(), entry.key()};
    event.version = entry.version();
    event.causation_id = entry.causation_id();
    event.hops = entry.hops();
    event.contract = entry.contract();
    event.recorded_at = TimePoint(std::chrono::microseconds(entry.recorded_at_us()));
    event.payload = entry.payload();
    event.traceparent = entry.traceparent();
    trail.events_.push_back({std::move(event), entry.sequence()});
  }
  return trail;
}

}  // namespace quadrille::tracker
