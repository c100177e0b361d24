#pragma once

#include "quadrille/participant.hpp"

#include <string>

namespace quadrille::rerun {

/// `PROGRAM case run FILE...`: this program's steps over recorded sagas, verdicts on standard output. Exit code 0 when
/// every step says what was recorded, 1 when one does not, 2 when a case cannot be read or run.
int case_command(int argc, char** argv, Participant& participant, const std::string& name);

}  // namespace quadrille::rerun
