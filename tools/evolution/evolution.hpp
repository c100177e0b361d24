#pragma once

#include "checker/finding.hpp"
#include "contract/model.hpp"

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

/// What a new version of contracts does to what is deployed, stored and in flight.
namespace quadrille::evolution {

/// Contracts with the descriptors they stand on.
struct Version {
  const contract::Model& model;
  const google::protobuf::DescriptorPool& pool;
};

/// QDR173: events whose stored bytes, or messages on their way, the other version reads wrongly: numbers or types
/// changed, fields renamed or moved into or out of a oneof, numbers used again, events gone.
[[nodiscard]] std::vector<checker::Finding> wire_changes(const Version& before, const Version& after);

/// QDR174: what sagas in flight wait for and no longer get: steps or triggers gone, kinds changed, keys or subjects
/// moved (errors); time limits shortened, new triggers, events no longer said (warnings).
[[nodiscard]] std::vector<checker::Finding> flow_changes(const contract::Model& before, const contract::Model& after);

/// QDR175: events that are new from their emitter and new to their consumer.
[[nodiscard]] std::vector<checker::Finding> order_findings(const contract::Model& before, const contract::Model& after);

/// Participants that changed, those first whose consumers have to be there before somebody speaks. A circle is cut at
/// the participant that comes first by name; QDR175 has told of it.
[[nodiscard]] std::vector<std::string> deploy_order(const contract::Model& before, const contract::Model& after);

/// What runs once the candidate is deployed: its participants, events and sagas in place of those of the same name.
[[nodiscard]] contract::Model merge(const contract::Model& deployed, const contract::Model& candidate);

}  // namespace quadrille::evolution
