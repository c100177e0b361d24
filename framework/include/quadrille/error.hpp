#pragma once

#include <stdexcept>
#include <string>

namespace quadrille {

/// What the caller of a failed operation does next.
enum class Disposition {
  retry,  ///< the world failed or the stream moved: the same call may succeed later
  park,   ///< this message can never succeed as it is: set it aside with its reason, go on with the next
  stop,   ///< the set-up is wrong: end the process with exit code 2 and let a person mend it
};

/// Who has to look when it does not pass by itself. Stored and on the wire by these numbers: never renumber.
enum class ReasonClass {
  technical = 1,      ///< a network, a database, a program's own fault
  business = 2,       ///< a step says that this cannot be, or not yet
  contract = 3,       ///< not what the contracts say: bytes, types, outcomes, versions
  configuration = 4,  ///< rights, settings, schema
  overload = 5,       ///< too much at once: connections, time limits, space
};

/// The one family of technical failures. "Nothing there" is an empty optional and "the business says no" is an event;
/// neither is an Error. Caught in the dispatcher, the relay, the sweeper, the edge and run().
class Error : public std::runtime_error {
 public:
  Error(Disposition disposition, const std::string& what) : Error(disposition, what, usual_reason(disposition)) {}
  Error(Disposition disposition, const std::string& what, ReasonClass reason)
      : std::runtime_error(what), disposition_(disposition), reason_(reason) {}

  [[nodiscard]] Disposition disposition() const noexcept { return disposition_; }
  [[nodiscard]] ReasonClass reason_class() const noexcept { return reason_; }

 private:
  static ReasonClass usual_reason(Disposition disposition) {
    switch (disposition) {
      case Disposition::retry:
        return ReasonClass::technical;
      case Disposition::park:
        return ReasonClass::business;
      case Disposition::stop:
        return ReasonClass::configuration;
    }
    return ReasonClass::technical;
  }

  Disposition disposition_;
  ReasonClass reason_;
};

/// A stream has moved since it was read. The work is done again on its new state.
class VersionConflict final : public Error {
 public:
  explicit VersionConflict(const std::string& stream)
      : Error(Disposition::retry, "stream " + stream + " has moved since it was read") {}
};

/// Thrown by a step when an event has overtaken the one it needs: the event is handled again a little later.
class NotYet final : public Error {
 public:
  explicit NotYet(const std::string& what) : Error(Disposition::retry, "not yet: " + what, ReasonClass::business) {}
};

}  // namespace quadrille
