#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"
#include "runtime/supervision.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::runtime {

/// What people do about the sagas of one participant. Each act is one transaction with its entry in the audit trail
/// and, where a saga is concerned, ActTaken; the running service takes it from there.
class Acts {
 public:
  /// Throws Error(park) where it is not said who acts, or why.
  Acts(Store& store, const Clock& clock, Speaker speaker, Hand hand);

  /// The bytes to try a message with instead. Throws Error(park) where they will not do.
  using Edit = std::function<std::string(const WaitingMessage&)>;
  /// Lets the service try it again now, with all its patience. What stands behind it goes on waiting until it is
  /// handled. False when no such message is stuck.
  [[nodiscard]] bool retry(const std::string& message_id, const Edit& edit = {});
  /// Takes it out for good, unhandled: its stream goes on behind it. False when no such message is stuck. Throws
  /// StillBehind when an older message of its stream waits: that would be lost with it.
  [[nodiscard]] bool discard(const std::string& message_id);
  /// Makes the armed timer step of the saga due now. `act`: as what it is recorded. False when none is armed.
  [[nodiscard]] bool fire_timer(const std::string& saga_id, const std::string& step, const std::string& act);
  /// Records only that a person declares something about the saga. Throws Error(park) for what cannot be declared.
  void note(const std::string& saga_id, const std::string& act);

 private:
  void record(Transaction& transaction, const std::string& act, const std::string& about,
              const std::string& original = {}) const;

  Store& store_;
  const Clock& clock_;
  const Speaker speaker_;
  const Hand hand_;
};

/// Something else has to be decided first.
class StillBehind final : public Error {
 public:
  explicit StillBehind(const StreamName& stream)
      : Error(Disposition::park, "an older message of stream " + stream.text() +
                                     " waits and would be lost too; decide about that one first") {}
};

}  // namespace quadrille::runtime
