#pragma once

#include "quadrille/error.hpp"

#include <string>

namespace quadrille::postgres {

/// What the caller does after an SQLSTATE (appendix A of PostgreSQL's manual). Empty state: no answer, connection lost.
[[nodiscard]] Disposition disposition_of(const std::string& sqlstate);

/// Who has to look at it.
[[nodiscard]] ReasonClass reason_class_of(const std::string& sqlstate);

/// Runs `work`, turning what libpqxx throws into Error. `doing` begins the sentence: "append events".
template <class Work>
auto translated(const char* doing, const Work& work) -> decltype(work());

/// Throws the Error for the exception being handled. Only inside a catch block.
[[noreturn]] void throw_translated(const char* doing);

template <class Work>
auto translated(const char* doing, const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (...) {
    throw_translated(doing);
  }
}

}  // namespace quadrille::postgres
