#include "contract/topology.hpp"

#include "core/subject.hpp"

namespace quadrille::contract {

Topology topology_of(const Participant& participant, std::chrono::milliseconds ack_wait) {
  Topology topology;
  for (const auto& context : participant.hears)
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
      ConsumerSpec consumer;
      consumer.name = consumer_name(participant.name, context, lane);
      consumer.filter = lane_filter(lane, context);
      consumer.from_beginning = participant.from_beginning;
      consumer.ack_wait = ack_wait;
      topology.consumers.push_back(std::move(consumer));
    }
  return topology;
}

}  // namespace quadrille::contract
