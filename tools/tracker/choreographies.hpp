#pragma once

#include "checker/graph.hpp"
#include "checker/load.hpp"
#include "quadrille/v1/registration.pb.h"
#include "traffic/declared.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::tracker {

using checker::Graph;

/// One contract of each participant, joined and made quick to use. Immutable; the graph is used by one thread at a
/// time.
struct Choreography {
  explicit Choreography(checker::Contracts joined);

  const checker::Contracts contracts;
  const Graph graph;
  const std::vector<checker::SagaView> sagas;
  const traffic::Declared declared;
  std::map<std::string, std::string> fingerprints;  ///< by participant

  [[nodiscard]] const contract::Model& model() const { return graph.model(); }
};

/// Every contract that was ever seen to run. A saga is judged by the contracts of the participants that spoke in it, as
/// they were when they last did; those that have not spoken yet count as what runs now. Used by one thread.
class Choreographies {
 public:
  /// True when it is new, or has become the newest of its participant. `order` decides which is the newest: of the time
  /// it was first seen.
  bool learn(const v1::Registration& registration);

  /// `spoken`: fingerprints by participant. One that is unknown counts as not spoken. Null while no contract is known.
  [[nodiscard]] std::shared_ptr<const Choreography> of(const std::map<std::string, std::string>& spoken);
  /// What runs now.
  [[nodiscard]] std::shared_ptr<const Choreography> newest() { return of({}); }
  [[nodiscard]] const std::map<std::string, std::string>& newest_fingerprints() const { return newest_; }

 private:
  std::map<std::string, std::map<std::string, v1::Registration>> known_;  ///< by participant and fingerprint
  std::map<std::string, std::string> newest_;
  std::map<std::string, std::shared_ptr<const Choreography>> joined_;  ///< by fingerprints of all participants
};

}  // namespace quadrille::tracker
