#pragma once

#include "quadrille/error.hpp"
#include "runtime/unit_of_work.hpp"

namespace quadrille::runtime {

/// What many messages or timers say is flushed at once, until that has failed twice: then what each says is flushed
/// with it, so that the one at fault is found and the others go on. Used by one thread.
class CommonFlush {
 public:
  /// After the run of each, inside failing_as().
  void after_each(UnitOfWork& unit) const {
    if (failures_ > tolerated) unit.flush();
  }
  /// After the last one.
  void at_the_end(UnitOfWork& unit) {
    try {
      unit.flush();
    } catch (const VersionConflict&) {
      throw;  // nobody is at fault
    } catch (const Error&) {
      ++failures_;
      throw;
    }
  }
  /// What was flushed is committed: all at once again.
  void succeeded() { failures_ = 0; }

 private:
  static constexpr int tolerated = 1;
  int failures_ = 0;
};

}  // namespace quadrille::runtime
