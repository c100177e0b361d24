#include "checker/subject_pattern.hpp"
#include "contract/topology.hpp"
#include "core/time_text.hpp"
#include "inspect/inspect.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <set>

namespace quadrille::inspect {
namespace {

using checker::Finding;
using checker::Severity;
using nlohmann::json;
using std::chrono::milliseconds;

milliseconds time_in(const json& config, const char* field) {
  return std::chrono::duration_cast<milliseconds>(std::chrono::nanoseconds(config.value(field, std::int64_t{0})));
}

class Judge {
 public:
  Judge(const BrokerFacts& facts, const checker::Graph& graph) : facts_(facts), graph_(graph) {
    for (const auto& [name, config] : facts.streams) streams_[name] = json::parse(config);
  }

  void participants() {
    std::set<std::string> asked_for;
    for (const auto& participant : graph_.model().participants) {
      if (participant.external) {
        for (const auto& consumer : participant.consumers) asked_for.insert(consumer.stream + "/" + consumer.name);
        continue;
      }
      const auto topology = contract::topology_of(participant);
      for (const auto& consumer : topology.consumers) {
        asked_for.insert(topology.stream + "/" + consumer.name);
        one_consumer(topology.stream, consumer, participant);
      }
    }
    for (const auto& [stream, consumers] : facts_.consumers)
      for (const auto& [name, config] : consumers)
        if (!asked_for.contains(stream + "/" + name) && json::parse(config).contains("durable_name") &&
            of_our_streams(stream))
          add("QDR194", Severity::warning, {}, stream + "/" + name,
              "consumer " + name + " of stream " + stream + " is there, but no contract asks for it",
              "remove it if its participant is gone, or give its contract to the check");
  }

  void framework_stream(const std::vector<checker::SagaView>& sagas) {
    const Topology wanted;
    const bool used =
        std::ranges::any_of(graph_.all_events(), [&](auto node) { return graph_.event(node).subject.empty(); });
    if (!used) return;
    const auto found = streams_.find(wanted.stream);
    if (found == streams_.end()) {
      add("QDR193", Severity::error, {}, wanted.stream, "stream " + wanted.stream + " is not there",
          "create it: quadrille deploy CONTRACTS");
      return;
    }
    const auto& config = found->second;
    if (config.value("retention", "") != "limits")
      add("QDR193", Severity::error, {}, wanted.stream,
          "stream " + wanted.stream + " has retention " + config.value("retention", "") +
              ": who comes later, or replays, finds nothing",
          "make it anew with retention limits");
    if (config.value("discard", "") != "new")
      add("QDR193", Severity::warning, {}, wanted.stream,
          "stream " + wanted.stream + " discards old messages when it is full, instead of refusing new ones",
          "set discard to new: the outbox keeps what is refused");
    stream_times(wanted.stream, config, sagas);
    for (const auto node : graph_.all_events()) kept_once(graph_.event(node));
  }

  std::vector<Finding> findings;

 private:
  void add(const char* code, Severity severity, const contract::Location& location, const std::string& about,
           std::string message, std::string hint) {
    findings.push_back({code,
                        severity,
                        location.file.empty() ? contract::Location{"server", 0, 0} : location,
                        std::move(message),
                        std::move(hint),
                        {},
                        {about},
                        ""});
  }

  [[nodiscard]] bool of_our_streams(const std::string& stream) const {
    return stream == Topology{}.stream ||
           std::ranges::find(graph_.model().streams, stream, &contract::BrokerStream::name) !=
               graph_.model().streams.end();
  }

  void stream_times(const std::string& name, const json& config, const std::vector<checker::SagaView>& sagas) {
    constexpr std::chrono::seconds relay_retries_within{60};
    const auto window = time_in(config, "duplicate_window");
    if (window < relay_retries_within)
      add("QDR190", Severity::warning, {}, name,
          "stream " + name + " recognises duplicates for " + duration_text(window) + " only",
          "set duplicate_window to two minutes or more");
    const auto age = time_in(config, "max_age");
    for (const auto& saga : sagas)
      if (age.count() > 0 && saga.declared != nullptr && saga.declared->deadline > age)
        add("QDR191", Severity::error, saga.declared->location, name + "/" + saga.name,
            "stream " + name + " keeps events for " + duration_text(age) + ", but saga " + saga.name + " may take " +
                duration_text(saga.declared->deadline),
            "raise max_age of the stream");
  }

  void kept_once(const contract::EventType& event) {
    std::vector<std::string> keepers;
    for (const auto& [name, config] : streams_)
      for (const auto& subject : config.value("subjects", std::vector<std::string>{}))
        if (checker::covers(subject, event.subject_pattern())) {
          keepers.push_back(name);
          break;
        }
    if (keepers.size() == 1) return;
    add("QDR106", Severity::error, event.location, event.name,
        event.name + " on " + event.subject_pattern() + " is kept by " +
            (keepers.empty() ? "no stream of the server" : keepers[0] + " and by " + keepers[1]),
        "let exactly one stream keep it");
  }

  void one_consumer(const std::string& stream, const ConsumerSpec& wanted, const contract::Participant& participant) {
    const auto consumers = facts_.consumers.find(stream);
    if (consumers == facts_.consumers.end()) return;  // told of the stream
    const auto found = consumers->second.find(wanted.name);
    if (found == consumers->second.end()) {
      add("QDR193", Severity::error, participant.location, stream + "/" + wanted.name,
          "consumer " + wanted.name + " of stream " + stream + " is not there: " + participant.name +
              " hears nothing through it",
          "create it: quadrille deploy CONTRACTS");
      return;
    }
    const auto config = json::parse(found->second);
    std::string differs;
    if (config.value("filter_subject", "") != wanted.filter)
      differs = "filters " + config.value("filter_subject", "") + " instead of " + wanted.filter;
    else if (config.value("ack_policy", "") != "explicit")
      differs = "acknowledges " + config.value("ack_policy", "");
    else if (time_in(config, "ack_wait") != wanted.ack_wait)
      differs = "delivers again after " + duration_text(time_in(config, "ack_wait")) + " instead of " +
                duration_text(wanted.ack_wait);
    if (!differs.empty())
      add("QDR193", Severity::error, participant.location, stream + "/" + wanted.name,
          "consumer " + wanted.name + " of stream " + stream + " " + differs,
          "delete it and create it with quadrille deploy; the inbox drops what comes twice");
    if (config.value("max_deliver", std::int64_t{-1}) > 0)
      add("QDR192", Severity::error, participant.location, stream + "/" + wanted.name,
          "consumer " + wanted.name + " gives up after " +
              std::to_string(config.value("max_deliver", std::int64_t{0})) + " deliveries",
          "set max_deliver to -1: the participant parks what cannot be handled");
  }

  const BrokerFacts& facts_;
  const checker::Graph& graph_;
  std::map<std::string, json> streams_;
};

}  // namespace

std::vector<Finding> judge_broker(const BrokerFacts& facts, const checker::Graph& graph,
                                  const std::vector<checker::SagaView>& sagas) {
  Judge judge(facts, graph);
  judge.framework_stream(sagas);
  judge.participants();
  return std::move(judge.findings);
}

}  // namespace quadrille::inspect
