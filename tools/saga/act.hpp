#pragma once

#include "saga/tracker_client.hpp"

#include <string>
#include <vector>

namespace quadrille::saga {

/// What a person wants done about one saga.
struct Act {
  std::string name;  ///< retry, discard, cancel, resolve
  std::string who;
  std::string why;
  std::string outcome;  ///< of resolve: COMPLETED or CANCELLED
};

/// Has it done wherever the tracker says that it may be; a sentence for each thing done. Throws std::runtime_error with
/// the reason when it may not be done from where the saga stands.
std::vector<std::string> act(const TrackerClient& tracker, const std::string& saga_id, const Act& wanted);

}  // namespace quadrille::saga
