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

/// The one family of technical failures. "Nothing there" is an empty optional and "the business says no" is an event;
/// neither is an Error. Caught in the dispatcher, the relay, the sweeper, the edge and run().
class Error : public std::runtime_error {
 public:
  Error(Disposition disposition, const std::string& what) : std::runtime_error(what), disposition_(disposition) {}

  [[nodiscard]] Disposition disposition() const noexcept { return disposition_; }

 private:
  Disposition disposition_;
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
  explicit NotYet(const std::string& what) : Error(Disposition::retry, "not yet: " + what) {}
};

}  // namespace quadrille
