#pragma once

#include "http/http_message.hpp"
#include "tracker/act_body.hpp"
#include "tracker/control_client.hpp"
#include "tracker/view.hpp"

#include <string>

namespace quadrille::tracker {

/// Acts of people, passed on to whose they are: the participant does it, in one transaction with its audit trail, and
/// says so in an event. Here is only checked that a person gives a name and a reason, and that the act makes sense from
/// where the saga stands. Thread-safe.
///
///   {"act": "retry",     "participant", "message_id", "payload": {...} instead of the original, optional}
///   {"act": "retry",     "saga_id", "part", "step": the timer step that is stuck}
///   {"act": "retry_all", "participant", "class", "dry_run": true to count only}
///   {"act": "discard",   "participant", "message_id"}
///   {"act": "cancel",    "saga_id", "part"}
///   {"act": "resolve",   "saga_id", "part", "outcome": "COMPLETED" or "CANCELLED"}
///   {"act": "rebuild",   "from": the first message of the stream to be folded anew, optional}
/// and in each "who" and "why".
class Acts {
 public:
  Acts(Engine& engine, View& view, ControlClient& control, const telemetry::Log& log)
      : engine_(engine), view_(view), control_(control), log_(log) {}

  /// The answer to POST /api/acts, from somebody who may act. Throws Error(park) that says what is wrong with it.
  [[nodiscard]] http::Response act(const http::Request& request);

 private:
  [[nodiscard]] http::Response about_message(const std::string& name, const std::string& participant,
                                             const ActBody& body, control::v1::Ask ask);
  [[nodiscard]] http::Response about_saga(const std::string& name, const ActBody& body, control::v1::Ask ask);
  [[nodiscard]] http::Response retry_all(const std::string& participant, const ActBody& body, control::v1::Ask ask);
  [[nodiscard]] http::Response rebuild(const ActBody& body, const control::v1::Ask& ask);

  Engine& engine_;
  View& view_;
  ControlClient& control_;
  const telemetry::Log& log_;
};

}  // namespace quadrille::tracker
