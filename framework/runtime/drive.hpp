#pragma once

namespace quadrille::runtime {

/// Who makes the loops of an instance go round. What they do each time is the same.
enum class Drive {
  threads,  ///< each loop has a thread of its own, from construction to destruction
  /// Whoever calls step(), one at a time: tests, on a clock of theirs. Destruction is then the end of a process that
  /// was killed: nothing is given back.
  steps,
};

}  // namespace quadrille::runtime
