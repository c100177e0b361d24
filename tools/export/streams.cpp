#include "contract/topology.hpp"
#include "export/export.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace quadrille::exports {
namespace {

using nlohmann::ordered_json;

std::int64_t nanoseconds(std::chrono::milliseconds time) { return time.count() * 1'000'000; }

ordered_json consumer_json(const ConsumerSpec& consumer) {
  return {{"durable_name", consumer.name},
          {"filter_subject", consumer.filter},
          {"ack_policy", "explicit"},
          {"ack_wait", nanoseconds(consumer.ack_wait)},
          {"max_deliver", -1},
          {"deliver_policy", consumer.from_beginning ? "all" : "new"}};
}

const char* retention(v1::BrokerStream::Retention kind) {
  switch (kind) {
    case v1::BrokerStream::INTEREST:
      return "interest";
    case v1::BrokerStream::WORK_QUEUE:
      return "workqueue";
    default:
      return "limits";
  }
}

}  // namespace

std::string streams(const contract::Model& model) {
  auto stream_list = ordered_json::array();
  auto consumers = ordered_json::array();
  bool ours = false;
  for (const auto& participant : model.participants) {
    if (participant.external) {
      for (const auto& consumer : participant.consumers)
        consumers.push_back({{"stream", consumer.stream},
                             {"config",
                              {{"durable_name", consumer.name},
                               {"filter_subjects", consumer.filters},
                               {"ack_policy", "explicit"},
                               {"ack_wait", nanoseconds(consumer.ack_wait)},
                               {"max_deliver", consumer.max_deliver == 0 ? -1 : std::int64_t{consumer.max_deliver}}}}});
      continue;
    }
    const auto topology = contract::topology_of(participant);
    if (!std::exchange(ours, true))
      stream_list.push_back({{"name", topology.stream},
                             {"subjects", topology.subjects},
                             {"max_age", nanoseconds(topology.max_age)},
                             {"duplicate_window", nanoseconds(topology.duplicate_window)},
                             {"retention", "limits"},
                             {"discard", "new"},
                             {"storage", "file"}});
    for (const auto& consumer : topology.consumers)
      consumers.push_back({{"stream", topology.stream}, {"config", consumer_json(consumer)}});
  }
  for (const auto& stream : model.streams)
    stream_list.push_back({{"name", stream.name},
                           {"subjects", stream.subjects},
                           {"retention", retention(stream.retention)},
                           {"max_age", nanoseconds(stream.max_age)},
                           {"duplicate_window", nanoseconds(stream.duplicate_window)},
                           {"storage", "file"}});
  return ordered_json{{"streams", stream_list}, {"consumers", consumers}}.dump(2) + "\n";
}

}  // namespace quadrille::exports
