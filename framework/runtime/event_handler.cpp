#include "runtime/event_handler.hpp"

#include "core/trace_context.hpp"
#include "quadrille/error.hpp"

#include <algorithm>

namespace quadrille::runtime {

std::set<std::string> EventHandler::keys(const Event& event) const {
  if (part_.started_by(event.type).empty()) return {};
  try {
    return {part_.key_of(*part_.parse(event.type, event.payload))};
  } catch (const Error&) {
    return {};  // handle() says so, where it is isolated from the rest of its batch
  }
}

void EventHandler::handle(const Event& event, UnitOfWork& unit) const {
  for (const auto* step : part_.started_by(event.type)) {
    auto message = part_.parse(event.type, event.payload);
    const auto key = part_.key_of(*message);
    if (key.empty()) throw Error(Disposition::park, "event " + event.type + " has an empty key", ReasonClass::contract);
    const auto trigger = part_.trigger_for(*step, std::move(message));
    const auto result =
        unit.run(*step, *trigger, {key, event.saga_id, event.id, event.hops, event.traceparent, event.recorded_at});
    log_.debug(result.recorded.empty() ? "step had nothing new to say" : "step decided",
               {.saga = event.saga_id,
                .step = step->declared->name,
                .event = event.id,
                .type = event.type,
                .trace = trace_id(event.traceparent)});
  }
}

bool EventHandler::compensates(const Event& event) const {
  return std::ranges::any_of(part_.started_by(event.type), [](const auto* step) { return step->is_compensation(); });
}

}  // namespace quadrille::runtime
