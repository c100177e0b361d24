#pragma once

#include "quadrille/participant.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quadrille::testing {

/// One call of a step, as it came back.
struct StepRun {
  std::string participant;
  std::string step;     ///< rpc name
  std::string trigger;  ///< full name of what started it; of a trigger message, of the event in it
  std::string key;
  std::string saga_id;
  std::vector<std::string> said;  ///< full names of events; empty: nothing
  bool again = false;             ///< it had said it before, and says nothing new
};

/// Stands between the runtime and the steps of a participant: notes what each says, and lets them fail as a test wants.
/// Used by one thread; the participant outlives it.
class Witness final : public Participant {
 public:
  explicit Witness(Participant& inner);

  /// Called after each step that has decided; its transaction is not committed yet.
  void on_run(std::function<void(const StepRun&)> call) { on_run_ = std::move(call); }
  /// The next `times` calls of the step throw Error(retry).
  void fail(const std::string& step, std::uint32_t times, const std::string& what) { failing_[step] = {times, what}; }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const google::protobuf::ServiceDescriptor& contract() const override { return inner_.contract(); }
  [[nodiscard]] std::string_view fingerprint() const override { return inner_.fingerprint(); }
  [[nodiscard]] std::unique_ptr<Aggregate> new_aggregate() const override { return inner_.new_aggregate(); }
  [[nodiscard]] std::unique_ptr<google::protobuf::Message> handle(int step_index,
                                                                  const google::protobuf::Message& trigger,
                                                                  const Aggregate& aggregate, Step& step) override;
  void upcasters(Upcasters& all) const override { inner_.upcasters(all); }

 private:
  struct Failing {
    std::uint32_t times = 0;
    std::string what;
  };

  Participant& inner_;
  const std::string name_;
  std::function<void(const StepRun&)> on_run_;
  std::map<std::string, Failing> failing_;
};

}  // namespace quadrille::testing
