#pragma once

#include "http/http_message.hpp"
#include "tracker/control_client.hpp"
#include "tracker/view.hpp"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

namespace quadrille::tracker {

/// What the participants themselves say, as JSON: what they have parked, and how their instances are. Thread-safe.
class Inquiries {
 public:
  Inquiries(View& view, ControlClient& control) : view_(view), control_(control) {}

  using Json = View::Json;
  /// {"messages": [...], "silent": [participants that do not answer], "more": there are more than are told}.
  /// `reason_class`: empty for all.
  [[nodiscard]] Json parked(const std::string& reason_class);
  /// One of them with its payload; fields with personal data are masked unless `personal`. Nothing when the participant
  /// has no such message. Throws Error(retry) when it does not answer.
  [[nodiscard]] std::optional<Json> parked_message(const std::string& participant, const std::string& message_id,
                                                   bool personal);
  /// A line for each participant whose contract is known, with its instances.
  [[nodiscard]] Json instances();

 private:
  [[nodiscard]] std::vector<control::v1::Answer> asked_lately();

  View& view_;
  ControlClient& control_;
  std::mutex mutex_;
  std::vector<control::v1::Answer> answers_;
  std::chrono::steady_clock::time_point asked_at_{};
};

/// Its name in lower case.
[[nodiscard]] std::string name_of_class(v1::ReasonClass reason_class);

/// The answer to what is asked about a participant of which no contract is known; nothing where one is.
[[nodiscard]] std::optional<http::Response> unknown_participant(View& view, const std::string& participant);

}  // namespace quadrille::tracker
