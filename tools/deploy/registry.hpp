#pragma once

#include "jetstream/jetstream_broker.hpp"
#include "quadrille/v1/registration.pb.h"

#include <string>
#include <vector>

namespace quadrille::deploy {

/// Which contracts run, by participant and fingerprint; of a participant the one renewed last comes first. Throws
/// quadrille::Error where the server cannot be read or has no registry.
[[nodiscard]] std::vector<v1::Registration> read_registry(const jetstream::JetStreamSettings& settings);

/// One set of files of what runs: of each participant its newest contract, each file as its owner has it.
[[nodiscard]] google::protobuf::FileDescriptorSet newest_contracts(const std::vector<v1::Registration>& registrations);

}  // namespace quadrille::deploy
