#include "deploy/permissions.hpp"

#include "contract/topology.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

namespace quadrille::deploy {
namespace {

std::string list(const std::vector<std::string>& subjects) {
  std::string text = "[";
  for (const auto& subject : subjects) text += "\n          \"" + subject + "\"";
  return text + "\n        ]";
}

/// What the participant may say, and what reading its durables takes.
std::vector<std::string> publishes(const contract::Model& model, const contract::Participant& participant) {
  std::set<std::string> contexts;
  for (const auto& step : participant.steps)
    for (const auto& event : step.emits()) contexts.insert(model.events.at(event).context);
  std::vector<std::string> subjects;
  for (const auto& context : contexts) subjects.push_back("evt.*." + context + ".>");
  subjects.push_back("evt.*.supervision." + participant.name + ".>");  // that a step of its own is stuck
  const auto topology = contract::topology_of(participant);
  subjects.push_back("$JS.API.STREAM.INFO." + topology.stream);
  subjects.push_back("$JS.API.STREAM.INFO.KV_" + topology.registry);
  subjects.push_back(bucket_subject(topology.registry, participant.name + ".*"));
  for (const auto& consumer : topology.consumers) {
    const auto durable = topology.stream + "." + consumer.name;
    subjects.push_back("$JS.API.CONSUMER.INFO." + durable);
    subjects.push_back("$JS.API.CONSUMER.MSG.NEXT." + durable);
    subjects.push_back("$JS.ACK." + durable + ".>");
    subjects.push_back("$JS.ACK.*.*." + durable + ".>");  // the newer form, with domain and account
  }
  return subjects;
}

}  // namespace

std::string password_variable(const std::string& user) {
  std::string name = user + "_PASSWORD";
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

std::string nats_permissions(const contract::Model& model) {
  std::string text =
      "# Derived from the contracts by `quadrille export`; do not edit.\n"
      "authorization {\n  users: [\n    { user: \"deployer\", password: $" +
      password_variable("deployer") + " }\n";
  for (const auto& participant : model.participants)
    text += "    {\n      user: \"" + participant.name + "\", password: $" + password_variable(participant.name) +
            ",\n      permissions: {\n        publish: { allow: " + list(publishes(model, participant)) +
            " }\n        subscribe: { allow: [\"_INBOX_" + participant.name + ".>\"] }\n      }\n    }\n";
  return text + "  ]\n}\n";
}

}  // namespace quadrille::deploy
