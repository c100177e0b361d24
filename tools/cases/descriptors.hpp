#pragma once

#include "checker/load.hpp"
#include "quadrille/casefile/v1/case.pb.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <memory>

namespace quadrille::cases {

/// Puts into the header what the contracts say about the case: the descriptors of its events and of the participants
/// that recorded them, their fingerprints, and whether the saga has ended.
void describe(casefile::v1::Case& one, const checker::Contracts& contracts);

/// A saga is over when it is said.
[[nodiscard]] bool ends_saga(const contract::EventType& type);

/// Of all participants of the contracts and what the framework itself says, imports first.
[[nodiscard]] google::protobuf::FileDescriptorSet descriptors_of(const checker::Contracts& contracts);

/// The descriptors of the case, and what every program knows. Throws std::runtime_error where they contradict each
/// other.
[[nodiscard]] std::unique_ptr<google::protobuf::DescriptorPool> pool_of(const casefile::v1::Case& one);

}  // namespace quadrille::cases
