#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille {

/// What a step returns that has nothing new to say: see Step::already_recorded().
struct AlreadyRecorded {
  template <class Outcome>
  operator Outcome() const {  // NOLINT(google-explicit-constructor): stands in for any outcome
    return Outcome{};
  }
};

/// What a step sees of the one transaction it runs in: the inbox claim, its events, their outbox entries, and
/// everything done through this object are committed together or not at all. Lives as long as the call of the step;
/// used by its thread. There is no publish function: what a step returns is what is said.
///
/// Any call may throw Error; let it pass.
class Step {
 public:
  virtual ~Step() = default;

  /// The saga instance; set from its START event on.
  [[nodiscard]] virtual const std::string& saga_id() const = 0;
  /// Key of the aggregate this step decides for.
  [[nodiscard]] virtual const std::string& key() const = 0;
  /// One time for the whole step: use it instead of a clock of your own, so that a replay decides the same.
  [[nodiscard]] virtual std::chrono::system_clock::time_point now() const = 0;
  /// `{saga}:{step}:{do|undo}`: the same at every repetition of this step, for calls to the outside.
  [[nodiscard]] virtual std::string idempotency_key() const = 0;

  /// The step's question has been settled before (a repetition, or another step came first): nothing is recorded and
  /// nothing is said. `return step.already_recorded();`
  [[nodiscard]] virtual AlreadyRecorded already_recorded() = 0;

  /// Sets a semantic lock on `amount` of a counted resource ("account/alice") for this saga; false when less is free.
  /// One statement, commutative with all others. Its time to live is that of the timer step this step arms in its
  /// contract
  /// (`timeout: { armed_by: ... }`); Error(park) when it arms none, for a hold nobody ends is a leak.
  [[nodiscard]] virtual bool hold(std::string_view resource, std::int64_t amount) = 0;
  /// Gives back what this saga holds of the resource; the amount, 0 when there is nothing (a repetition).
  virtual std::int64_t release(std::string_view resource) = 0;
  /// Takes what this saga holds of the resource for good; the amount, 0 when there is nothing (a repetition).
  virtual std::int64_t settle(std::string_view resource) = 0;
  /// Adds to (or, negative, takes from) what is free of the resource; false when less is free.
  [[nodiscard]] virtual bool add(std::string_view resource, std::int64_t delta) = 0;

  /// Sets when a timer step that this step arms will run, instead of after the time its contract says. Error(park) when
  /// this step does not arm it.
  virtual void deadline(std::string_view timer_step, std::chrono::milliseconds after) = 0;

  /// A statement of the service's own (read models, tables of its domain), with parameters $1.. ; never splice values
  /// into the text. Rows of texts, absent for NULL.
  using Row = std::vector<std::optional<std::string>>;
  virtual std::vector<Row> sql(std::string_view statement, std::span<const std::string> parameters) = 0;
};

}  // namespace quadrille
