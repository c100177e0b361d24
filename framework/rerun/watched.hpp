#pragma once

#include "quadrille/casefile/v1/report.pb.h"
#include "quadrille/participant.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::rerun {

/// What is known of a run from the record, and what the step asked for meanwhile.
struct Watch {
  bool outcome_recorded = false;   ///< the record says what the step said
  bool said_no = false;            ///< and that was a failure: what it wanted to hold was not free
  std::vector<std::string> asked;  ///< for which the record has no answer
  bool unanswerable = false;       ///< one of them ended the step
  std::vector<casefile::v1::Wanted> wanted;
  std::map<std::string, std::chrono::milliseconds> chosen;  ///< deadlines, by timer step
};

/// Holds and sums of counted resources, by name.
using Ledger = std::map<std::string, casefile::v1::Resource>;

/// Stands between the runtime and the steps of a participant in a rerun: answers from the record what a step would ask
/// the world, and notes what it asked. Used by one thread; the participant outlives it.
class WatchedParticipant final : public Participant {
 public:
  explicit WatchedParticipant(Participant& inner) : inner_(inner) {}

  /// For the runs that follow.
  void watch(Watch& watch) { watch_ = &watch; }
  [[nodiscard]] Ledger& ledger() { return ledger_; }

  [[nodiscard]] const google::protobuf::ServiceDescriptor& contract() const override { return inner_.contract(); }
  [[nodiscard]] std::string_view fingerprint() const override { return inner_.fingerprint(); }
  [[nodiscard]] std::unique_ptr<Aggregate> new_aggregate() const override { return inner_.new_aggregate(); }
  [[nodiscard]] std::unique_ptr<google::protobuf::Message> handle(int step_index,
                                                                  const google::protobuf::Message& trigger,
                                                                  const Aggregate& aggregate, Step& step) override;
  void upcasters(Upcasters& all) const override { inner_.upcasters(all); }

 private:
  Participant& inner_;
  Watch* watch_ = nullptr;
  Ledger ledger_;
};

}  // namespace quadrille::rerun
