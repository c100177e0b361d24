#pragma once

#include "quadrille/v1/options.pb.h"
#include "scaffold/project.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::scaffold {

/// An event that a participant may say.
struct NewEvent {
  std::string participant;
  std::string name;                 ///< SeatTaken
  std::string key;                  ///< field that names the instance: ticket_id
  std::vector<std::string> fields;  ///< further ones, `seat:string`
  bool failure = false;
  std::string saga;  ///< whose start or end it is; empty: neither
  v1::SagaRole::Role role = v1::SagaRole::ROLE_UNSPECIFIED;
};

/// A decision: what starts it, what it may say.
struct NewStep {
  std::string participant;
  std::string name;  ///< Seat
  v1::StepKind kind = v1::STEP_KIND_UNSPECIFIED;
  std::vector<std::string> on;      ///< events, `desk.TicketRequested`; any of them starts it
  std::string command;              ///< or a command from outside, RequestTicket
  std::vector<std::string> fields;  ///< of the command besides its key, `seats:uint32`
  std::string armed_by;             ///< or a time after a step of the same participant
  std::chrono::seconds after{0};
  std::vector<std::string> says;      ///< one of these; made where they are not declared yet
  std::vector<std::string> failures;  ///< or one of these, which say no
  std::string undone_by;
  std::string key;                         ///< of events that are made
  std::string starts, completes, cancels;  ///< saga whose start or end is what it says
};

/// Fields of a message as its contract says them, numbered from `number` on; `fields` as `seat:string`.
[[nodiscard]] std::string field_lines(const std::vector<std::string>& fields, int number);

/// Declares it, and lets the participant's state take it in.
void add_event(Edits& edits, const Project& project, const NewEvent& event);

/// Declares the step with its outcome and writes a first decision and a test of it. Throws std::runtime_error for what
/// does not fit, before anything is changed.
void add_step(Edits& edits, const Project& project, const NewStep& step);

}  // namespace quadrille::scaffold
