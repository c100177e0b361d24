#pragma once

#include "core/utf8.hpp"
#include "quadrille/error.hpp"

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

namespace quadrille::runtime {

/// A step threw while a batch ran: the batch is rolled back and run again without it. Never leaves the runtime.
struct StepFailed final : std::exception {
  StepFailed(std::size_t which, const std::string& why, bool is_hopeless)
      : index(which), reason(to_text(why)), hopeless(is_hopeless) {}

  std::size_t index;  ///< in the batch
  std::string reason;
  bool hopeless;  ///< never succeeds as it is: park it now

  [[nodiscard]] const char* what() const noexcept override { return reason.c_str(); }
};

/// Runs `body`; what it throws because of the step becomes StepFailed(index). An Error(stop) passes: it concerns the
/// process, not the step.
template <class Body>
void failing_as(std::size_t index, const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    if (error.disposition() == Disposition::stop) throw;
    throw StepFailed(index, error.what(), error.disposition() == Disposition::park);
  } catch (const std::exception& error) {
    throw StepFailed(index, error.what(), false);
  }
}

}  // namespace quadrille::runtime
