#pragma once

#include "quadrille/error.hpp"
#include "runtime/unit_of_work.hpp"

namespace quadrille::runtime {

/// What many messages or timers say is flushed at once, with their commit, until that has failed twice: then what each
/// says is flushed with it, so that the one at fault is found and the others go on. Used by one thread.
class CommonFlush {
 public:
  /// After the run of each, inside failing_as().
  void after_each(UnitOfWork& unit) const {
    if (failures_ > tolerated) unit.flush();
  }
  /// After the last one.
  void at_the_end(UnitOfWork& unit) {
    flushed_ = true;
    unit.flush_last();
  }
  /// Runs `body`, one try: from the first of them to the commit, which may be what carries the flush out and fails.
  template <class Body>
  void watch(const Body& body) {
    flushed_ = false;
    try {
      body();
      failures_ = 0;
    } catch (const VersionConflict&) {
      throw;  // nobody is at fault
    } catch (const Error&) {
      if (flushed_) ++failures_;
      throw;
    }
  }

 private:
  static constexpr int tolerated = 1;
  int failures_ = 0;
  bool flushed_ = false;  ///< in this try
};

}  // namespace quadrille::runtime
