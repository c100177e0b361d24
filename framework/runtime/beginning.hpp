#pragma once

#include "core/broker.hpp"
#include "core/store.hpp"
#include "runtime/part.hpp"
#include "telemetry/log.hpp"

namespace quadrille::runtime {

/// Where the streams begin for a participant that starts with new events. That the first version it sees of a stream is
/// not the first tells nothing: the older ones may have been published before it listened, or may be in the hands of a
/// process that is frozen. So it asks the broker. Used by one thread.
class Beginning {
 public:
  Beginning(const Part& part, Store& store, Broker& broker, const telemetry::Log& log)
      : part_(part), store_(store), broker_(broker), log_(log) {}

  /// Notes, once, when the durables were made, before anything is received from them. Throws what the store throws.
  void note();

  enum class Answer {
    here,      ///< what is older was published before the participant listened
    not_yet,   ///< something older may still come; ask again
    not_told,  ///< the durable was made anew: nobody knows what was published in between
  };
  /// Whether a stream begins with this message: everything its durable has ever delivered before it was taken over, and
  /// none of that was an older version, or the gate would not ask.
  [[nodiscard]] Answer ask(const WaitingMessage& message);

 private:
  [[nodiscard]] bool made_anew(const ConsumerProgress& progress);

  const Part& part_;
  Store& store_;
  Broker& broker_;
  const telemetry::Log& log_;
  bool noted_ = false;
};

}  // namespace quadrille::runtime
