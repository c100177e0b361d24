#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"
#include "quadrille/control/v1/control.pb.h"

#include <functional>
#include <stdexcept>
#include <string>

/// What the control plane says on the wire, from what the store holds.
namespace quadrille::runtime {

/// Becomes an answer; never leaves the control plane.
class Refusal final : public std::runtime_error {
 public:
  Refusal(control::v1::Failure::Kind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  [[nodiscard]] control::v1::Failure::Kind kind() const noexcept { return kind_; }

 private:
  control::v1::Failure::Kind kind_;
};

/// Runs `body`, which fills the answer; where it throws, the answer is the failure.
void or_failure(control::v1::Answer& answer, const std::function<void()>& body);
void set_failure(control::v1::Answer& answer, control::v1::Failure::Kind kind, const std::string& why);

/// Without payload and headers.
[[nodiscard]] control::v1::StuckMessage summary_of(const WaitingMessage& message);
/// With them; the payload also as JSON where this program is linked with its type.
[[nodiscard]] control::v1::StuckMessage in_full(const WaitingMessage& message);

/// The bytes of the event type the message has, from JSON. Throws Error(park) that names the field which does not fit.
[[nodiscard]] std::string payload_from_json(const WaitingMessage& message, const std::string& json);

}  // namespace quadrille::runtime
