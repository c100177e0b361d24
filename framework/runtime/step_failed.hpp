#pragma once

#include "core/utf8.hpp"
#include "quadrille/error.hpp"
#include "runtime/unit_of_work.hpp"

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

namespace quadrille::runtime {

/// Why a message could not be handled.
struct Failure {
  std::string reason;
  ReasonClass reason_class = ReasonClass::technical;
  bool hopeless = false;  ///< never succeeds as it is: park it now
  std::string step;       ///< that was running; empty where none had begun
};

/// A step threw while a batch ran: the batch is rolled back and run again without it. Never leaves the runtime.
struct StepFailed final : std::exception {
  StepFailed(std::size_t which, Failure why) : index(which), failure(std::move(why)) {
    failure.reason = to_text(failure.reason);
  }

  std::size_t index;  ///< in the batch
  Failure failure;

  [[nodiscard]] const char* what() const noexcept override { return failure.reason.c_str(); }
};

/// Runs `body`; what it throws because of a step of `unit` becomes StepFailed(index). An Error(stop) passes: it
/// concerns the process, not the step. So does VersionConflict: the step runs again on the new state.
template <class Body>
void failing_as(std::size_t index, const UnitOfWork& unit, const Body& body) {
  try {
    body();
  } catch (const VersionConflict&) {
    throw;
  } catch (const Error& error) {
    if (error.disposition() == Disposition::stop) throw;
    throw StepFailed(
        index, {error.what(), error.reason_class(), error.disposition() == Disposition::park, unit.running_step()});
  } catch (const std::exception& error) {
    throw StepFailed(index, {error.what(), ReasonClass::technical, false, unit.running_step()});
  }
}

}  // namespace quadrille::runtime
