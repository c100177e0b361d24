#include "contract/topology.hpp"
#include "inspect/inspect.hpp"

#include <set>

namespace quadrille::inspect {
namespace {

using checker::Finding;
using checker::Severity;

/// True where the server takes a publication from this user. The message expects a stream that is not there, so that
/// JetStream answers with an error and keeps nothing; where the user may not publish, nothing answers at all.
bool may_publish(const jetstream::ServerApi& api, const std::string& subject) {
  constexpr std::chrono::milliseconds between_looks{200};
  constexpr int looks = 5;
  for (int i = 0; i < looks && !api.refused(subject); ++i)
    if (api.request({subject, {{"Nats-Expected-Stream", "none-quadrille-probe"}}, ""}, between_looks)) return true;
  return false;
}

std::set<std::string> contexts_of(const contract::Model& model, const contract::Participant& participant) {
  std::set<std::string> contexts;
  for (const auto& step : participant.steps)
    for (const auto& event : step.emits()) contexts.insert(model.events.at(event).context);
  return contexts;
}

}  // namespace

std::vector<Finding> probe_permissions(const jetstream::ServerApi& api, const contract::Model& model,
                                       const contract::Participant& participant) {
  std::vector<Finding> findings;
  const auto add = [&](Severity severity, const std::string& subject, std::string message, std::string hint) {
    findings.push_back({"QDR195",
                        severity,
                        participant.location,
                        std::move(message),
                        std::move(hint),
                        {},
                        {participant.name, subject},
                        ""});
  };
  const auto own = contexts_of(model, participant);
  std::set<std::string> all;
  for (const auto& [name, event] : model.events)
    if (event.subject.empty()) all.insert(event.context);
  for (const auto& context : all) {
    const auto subject = "evt.0." + context + ".probe.Probe";
    const bool declared = own.contains(context);
    const bool allowed = may_publish(api, subject);
    if (declared && !allowed)
      add(Severity::error, subject,
          participant.name + " may not publish evt.*." + context + ".>, which its contract declares",
          "grant it: quadrille export --format nats-permissions");
    if (!declared && allowed)
      add(Severity::warning, subject,
          participant.name + " may publish evt.*." + context + ".>, which its contract does not declare",
          "take it away: quadrille export --format nats-permissions");
  }
  const std::string deletes = "$JS.API.STREAM.DELETE.none-quadrille-probe";
  if (may_publish(api, deletes))
    add(Severity::warning, deletes, participant.name + " may delete streams",
        "take it away: quadrille export --format nats-permissions");
  return findings;
}

}  // namespace quadrille::inspect
