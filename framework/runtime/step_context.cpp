#include "runtime/step_context.hpp"

#include "quadrille/error.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace quadrille::runtime {

StepContext::StepContext(const PlannedStep& step, Transaction& transaction, std::string key, std::string saga_id,
                         TimePoint now)
    : step_(step), transaction_(transaction), key_(std::move(key)), saga_id_(std::move(saga_id)), now_(now) {}

std::string StepContext::idempotency_key() const {
  return saga_id_ + ":" + step_.declared->name + ":" + (step_.is_compensation() ? "undo" : "do");
}

AlreadyRecorded StepContext::already_recorded() {
  nothing_new_ = true;
  return {};
}

bool StepContext::hold(std::string_view resource, std::int64_t amount) {
  if (step_.timers.empty())
    throw Error(Disposition::park,
                "step " + step_.declared->name + " holds " + std::string(resource) +
                    " but arms no timer step; declare one with timeout: { armed_by: \"" + step_.declared->name +
                    "\" } so that the hold has an end",
                ReasonClass::contract);
  if (amount <= 0)
    throw Error(Disposition::park,
                "step " + step_.declared->name + " holds " + std::to_string(amount) + " of " + std::string(resource) +
                    "; an amount is more than 0",
                ReasonClass::contract);
  const auto longest = std::ranges::max(step_.timers, {}, &PlannedTimer::after).after;
  return transaction_.quantities().hold(resource, saga_id_, amount, now_ + longest);
}

std::int64_t StepContext::release(std::string_view resource) {
  return transaction_.quantities().release(resource, saga_id_);
}

std::int64_t StepContext::settle(std::string_view resource) {
  return transaction_.quantities().settle(resource, saga_id_);
}

bool StepContext::add(std::string_view resource, std::int64_t delta) {
  return transaction_.quantities().add(resource, delta);
}

void StepContext::deadline(std::string_view timer_step, std::chrono::milliseconds after) {
  if (std::ranges::find(step_.timers, timer_step, &PlannedTimer::step) == step_.timers.end())
    throw Error(Disposition::park,
                "step " + step_.declared->name + " sets a deadline for '" + std::string(timer_step) +
                    "', which it does not arm in its contract",
                ReasonClass::contract);
  chosen_times_[std::string(timer_step)] = after;
}

std::vector<Step::Row> StepContext::sql(std::string_view statement, std::span<const std::string> parameters) {
  return transaction_.sql(statement, parameters);
}

}  // namespace quadrille::runtime
