#include "deploy/permissions.hpp"

#include "contract/topology.hpp"
#include "core/subject.hpp"

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

/// Where the participant is asked and told to act.
std::vector<std::string> subscribes(const contract::Participant& participant) {
  return {"_INBOX_" + participant.name + ".>", control_subject(participant.name), act_subject(participant.name),
          instances_subject};
}

/// What asking everybody and reading everything takes. No durable can be made, changed or removed by this: consumers
/// without a name only, which vanish by themselves.
std::vector<std::string> reads() {
  const Topology topology;
  std::vector<std::string> subjects{"quadrille.control.>", "$JS.FC.>"};  // flow control of an ordered consumer
  for (const auto& stream : {topology.stream, "KV_" + topology.registry}) {
    for (const auto* call :
         {"STREAM.INFO.", "STREAM.MSG.GET.", "DIRECT.GET.", "CONSUMER.CREATE.", "CONSUMER.NAMES.", "CONSUMER.LIST."})
      subjects.push_back(std::string("$JS.API.") + call + stream);
    subjects.push_back("$JS.API.DIRECT.GET." + stream + ".>");
    subjects.push_back("$JS.API.CONSUMER.INFO." + stream + ".*");
  }
  return subjects;
}

std::string user(const std::string& name, const std::vector<std::string>& publish,
                 const std::vector<std::string>& subscribe, const std::string& more = "") {
  return "    {\n      user: \"" + name + "\", password: $" + password_variable(name) +
         ",\n      permissions: {\n        publish: { allow: " + list(publish) +
         " }\n        subscribe: { allow: " + list(subscribe) + " }\n" + more + "      }\n    }\n";
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
  auto acts = reads();
  acts.emplace_back("quadrille.act.>");
  text += user("operator", acts, {"_INBOX_operator.>"});
  text += user("tracker", reads(), {"_INBOX_tracker.>"});
  for (const auto& participant : model.participants)
    text += user(participant.name, publishes(model, participant), subscribes(participant),
                 "        allow_responses: true\n");  // one answer to a question, within two minutes
  return text + "  ]\n}\n";
}

}  // namespace quadrille::deploy
