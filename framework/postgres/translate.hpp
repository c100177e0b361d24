#pragma once

#include "quadrille/error.hpp"

#include <string>

namespace quadrille::postgres {

/// What the caller does after an SQLSTATE (appendix A of PostgreSQL's manual). Empty state: no answer, connection lost.
[[nodiscard]] Disposition disposition_of(const std::string& sqlstate);

/// Who has to look at it.
[[nodiscard]] ReasonClass reason_class_of(const std::string& sqlstate);

/// `doing` begins the sentence: "append events". Empty state: the connection is lost. Of the server's text only the
/// first line is kept: the rest is the statement and the place in it.
[[nodiscard]] Error failure_of(const char* doing, const std::string& sqlstate, const std::string& text);

}  // namespace quadrille::postgres
