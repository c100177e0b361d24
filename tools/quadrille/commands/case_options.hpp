#pragma once

#include "quadrille/casefile/v1/case.pb.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace quadrille::tool {

/// Every case of a file. Throws casefile::BadFile, std::runtime_error where it cannot be opened.
void for_each_case(const std::string& file, const std::function<void(const casefile::v1::Case&)>& take);

/// `case run`, `case what-if` and `case to-test`: those that need a participant's program.
void add_case_runs(CLI::App& cases, int& exit_code);

}  // namespace quadrille::tool
