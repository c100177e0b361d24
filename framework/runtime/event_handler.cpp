#include "runtime/event_handler.hpp"

#include "core/trace_context.hpp"
#include "quadrille/error.hpp"

#include <algorithm>

namespace quadrille::runtime {

std::set<std::string> EventHandler::keys(const Event& event) const {
  std::set<std::string> keys;
  if (!may_start_something(event)) return keys;
  try {
    for (const auto& message : part_.read(event.type, event.payload))
      if (!part_.started_by(message->GetTypeName()).empty()) keys.insert(part_.key_of(*message));
  } catch (const Error&) {
    return {};  // handle() says so, where it is isolated from the rest of its batch
  }
  return keys;
}

void EventHandler::handle(const Event& event, UnitOfWork& unit) const {
  if (!may_start_something(event)) return;
  for (auto& message : part_.read(event.type, event.payload))
    for (const auto* step : part_.started_by(message->GetTypeName())) run(*step, *message, event, unit);
}

void EventHandler::run(const PlannedStep& step, const google::protobuf::Message& message, const Event& event,
                       UnitOfWork& unit) const {
  const auto key = part_.key_of(message);
  if (key.empty()) throw Error(Disposition::park, "event " + event.type + " has an empty key", ReasonClass::contract);
  MessagePtr own(message.New());
  own->CopyFrom(message);
  const auto trigger = part_.trigger_for(step, std::move(own));
  const auto result =
      unit.run(step, *trigger, {key, event.saga_id, event.id, event.hops, event.traceparent, event.recorded_at});
  log_.debug(result.recorded.empty() ? "step had nothing new to say" : "step decided",
             {.saga = event.saga_id,
              .step = step.declared->name,
              .event = event.id,
              .type = event.type,
              .trace = trace_id(event.traceparent)});
}

bool EventHandler::compensates(const Event& event) const {
  const auto compensated_by = [&](const std::string& type) {
    return std::ranges::any_of(part_.started_by(type), [](const auto* step) { return step->is_compensation(); });
  };
  if (!part_.upcasts(event.type)) return compensated_by(event.type);
  try {
    return std::ranges::any_of(part_.read(event.type, event.payload),
                               [&](const auto& message) { return compensated_by(message->GetTypeName()); });
  } catch (const Error&) {
    return false;
  }
}

bool EventHandler::may_start_something(const Event& event) const {
  return part_.upcasts(event.type) || !part_.started_by(event.type).empty();
}

}  // namespace quadrille::runtime
