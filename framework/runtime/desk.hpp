#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"
#include "quadrille/control/v1/control.pb.h"
#include "runtime/questions.hpp"
#include "runtime/supervision.hpp"

#include <string>

namespace quadrille::runtime {

/// Answers everything about one participant that its database alone knows, and acts there: for an instance that is
/// asked over the broker, and for a tool that may open the database itself. Thread-safe.
class Desk {
 public:
  Desk(Speaker speaker, Store& store, const Clock& clock)
      : speaker_(std::move(speaker)), store_(store), clock_(clock), questions_(speaker_.participant, store) {}

  /// Failures are answers.
  void answer(const control::v1::Ask& ask, control::v1::Answer& answer) const;

 private:
  void act(const control::v1::Ask& ask, control::v1::ActDone& done) const;
  void retry_all(const control::v1::Ask& ask, control::v1::ActDone& done) const;

  const Speaker speaker_;
  Store& store_;
  const Clock& clock_;
  const Questions questions_;
};

/// Whether it changes something, and so is for act_subject().
[[nodiscard]] bool is_act(const control::v1::Ask& ask);

}  // namespace quadrille::runtime
