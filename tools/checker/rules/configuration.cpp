#include "checker/rules.hpp"
#include "checker/subject_pattern.hpp"
#include "core/broker.hpp"
#include "core/time_text.hpp"

#include <algorithm>

namespace quadrille::checker {
namespace {

using contract::BrokerStream;

void tell(const Context& context, const char* code, Severity severity, const BrokerStream& stream, std::string message,
          std::string hint) {
  context.findings.push_back(
      {code, severity, stream.location, std::move(message), std::move(hint), {}, {stream.name}, ""});
}

bool keeps(const BrokerStream& stream, const contract::EventType& event) {
  return std::ranges::any_of(stream.subjects,
                             [&](const auto& subject) { return covers(subject, event.subject_pattern()); });
}

/// QDR190: a relay that lost the broker's answer sends again; past the window that is a second message.
void short_duplicate_window(const Context& context, const BrokerStream& stream) {
  constexpr std::chrono::seconds relay_retries_within{60};
  if (stream.duplicate_window.count() == 0 || stream.duplicate_window >= relay_retries_within) return;
  tell(context, "QDR190", Severity::warning, stream,
       "stream " + stream.name + " recognises duplicates for " + duration_text(stream.duplicate_window) +
           ", less than the minute in which a relay repeats what it got no answer for",
       "set duplicate_window to two minutes; the inbox catches what comes later");
}

/// QDR191
void events_that_vanish_too_soon(const Context& context, const BrokerStream& stream) {
  if (stream.max_age.count() == 0) return;
  for (const auto& saga : context.sagas) {
    const auto* declared = saga.saga().declared;
    if (declared == nullptr || stream.max_age >= declared->deadline ||
        std::ranges::none_of(saga.events(), [&](Graph::Node node) { return keeps(stream, context.graph.event(node)); }))
      continue;
    tell(context, "QDR191", Severity::error, stream,
         "stream " + stream.name + " keeps events for " + duration_text(stream.max_age) + ", but saga " +
             saga.saga().name + " may take " + duration_text(declared->deadline),
         "keep events longer than the longest saga, its repairs by hand included");
  }
}

/// QDR191 for the framework's own stream.
void saga_longer_than_events_are_kept(const Context& context) {
  for (const auto& saga : context.sagas) {
    const auto* declared = saga.saga().declared;
    const Topology usual;
    if (declared == nullptr || declared->deadline <= usual.max_age ||
        std::ranges::none_of(saga.events(),
                             [&](Graph::Node node) { return context.graph.event(node).subject.empty(); }))
      continue;
    context.add("QDR191", Severity::error, {saga.saga().starts.front()},
                "stream " + usual.stream + " keeps events for " + duration_text(usual.max_age) + ", but saga " +
                    saga.saga().name + " may take " + duration_text(declared->deadline),
                "shorten the deadline, or cut the saga into sagas that start each other", {}, saga.saga().name);
  }
}

/// QDR192: a step that may not give up, behind a consumer that does.
void gives_up_silently(const Context& context) {
  for (const auto& participant : context.graph.model().participants) {
    const auto stubborn = std::ranges::find_if(participant.steps, [](const contract::Step& step) {
      return step.kind == v1::RETRIABLE || step.kind == v1::COMPENSATION;
    });
    if (stubborn == participant.steps.end()) continue;
    for (const auto& consumer : participant.consumers) {
      if (consumer.max_deliver == 0 || consumer.parks) continue;
      context.findings.push_back({"QDR192",
                                  Severity::error,
                                  participant.location,
                                  "consumer " + consumer.name + " of " + participant.name + " drops a message after " +
                                      std::to_string(consumer.max_deliver) + " deliveries, but " +
                                      stubborn->full_name() + " may not give up",
                                  "deliver for ever (max_deliver: 0), or park what is given up on (parks: true)",
                                  {},
                                  {participant.name + "/" + consumer.name},
                                  ""});
    }
  }
}

}  // namespace

void check_configuration(const Context& context) {
  for (const auto& stream : context.graph.model().streams) {
    short_duplicate_window(context, stream);
    events_that_vanish_too_soon(context, stream);
  }
  saga_longer_than_events_are_kept(context);
  gives_up_silently(context);
}

}  // namespace quadrille::checker
