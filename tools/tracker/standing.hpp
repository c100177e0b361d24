#pragma once

#include "quadrille/error.hpp"
#include "tracker/choreographies.hpp"
#include "tracker/trail.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Where a saga stands, told from its events and the contracts alone: the same events give the same answer in whatever
/// order they came.
namespace quadrille::tracker {

/// Stored: never renumber.
enum class State { running = 1, compensating = 2, completed = 3, cancelled = 4, stuck = 5 };
[[nodiscard]] std::string_view name_of(State state);  ///< RUNNING
[[nodiscard]] std::optional<State> state_of(std::string_view name);
[[nodiscard]] inline bool is_over(State state) { return state == State::completed || state == State::cancelled; }

/// A step that has heard an event and not answered it.
struct WaitedStep {
  std::string step;  ///< payment.Authorize
  std::string event_id;
  TimePoint since{};
  auto operator<=>(const WaitedStep&) const = default;
};

/// A timer that a step has armed; whether it still is, only its owner knows.
struct ArmedTimer {
  std::string step;
  TimePoint due_at{};
};

/// Why a saga does not go on by itself. Without a message: past its deadline, or an event says so.
struct StuckReason {
  std::string participant;
  std::string message_id;  ///< what `quadrille parked` calls it; empty where no message waits
  std::string timer;       ///< the timer step that fails; empty where it is none
  std::string step;        ///< payment.Capture
  ReasonClass reason_class = ReasonClass::technical;
  std::string error;
  std::uint32_t attempts = 0;
  bool parked = false;     ///< nobody tries it again
  bool discarded = false;  ///< by a person: the step will not run for this message, and nothing else has happened yet
  TimePoint since{};
};

/// One line of the compensation ledger: what was done and how it was undone.
struct LedgerEntry {
  std::string step;
  std::string event;  ///< short name of what it said
  TimePoint done_at{};
  std::string compensation;
  std::string undone_by;  ///< id of the event that proves it; empty: none
  TimePoint undone_at{};
};

/// A business no that turned the saga round.
struct Failure {
  std::string participant;
  std::string event;  ///< short name
  std::string event_id;
};

/// What a person did to it.
struct Act {
  TimePoint at{};
  std::string who;
  std::string act;
  std::string why;
  std::string participant;
  std::string message_id;
};

/// What the step decided after which nothing is undone any more.
enum class Pivot { open, passed, refused };
[[nodiscard]] std::string_view name_of(Pivot pivot);  ///< open

struct Standing {
  std::string saga_id;
  int part = 0;      ///< a saga whose end begins another one goes on under the same id: 0, 1, ...
  std::string saga;  ///< its type; empty while no known contract says what it is
  std::string key;   ///< of the aggregate that began it: the business key
  State state = State::running;
  TimePoint started_at{};
  TimePoint latest_at{};
  std::optional<TimePoint> ended_at;
  std::optional<TimePoint> deadline_at;
  std::vector<WaitedStep> waiting;  ///< by step
  std::vector<ArmedTimer> timers;   ///< by due time
  std::vector<StuckReason> stuck;   ///< oldest first
  std::vector<LedgerEntry> ledger;
  bool undoing = false;  ///< what the ledger has not proven is owed
  Pivot pivot = Pivot::open;
  bool resolved = false;  ///< a person has said how it ended
  std::optional<Failure> failure;
  std::vector<std::string> remaining;  ///< steps on the ways still open, waiting ones not among them
  std::vector<Act> acts;

  /// Compensations that are owed, by name.
  [[nodiscard]] std::vector<std::string> owed() const;
};

/// One standing a part, at least one. `choreography` may be null. `now` decides only what is past its deadline.
[[nodiscard]] std::vector<Standing> judge(const Trail& trail, const Choreography* choreography, TimePoint now);

/// The contracts a trail's participants spoke with last.
[[nodiscard]] std::map<std::string, std::string> spoken_contracts(const Trail& trail);

}  // namespace quadrille::tracker
