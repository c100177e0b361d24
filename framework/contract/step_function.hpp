#pragma once

#include <string>

namespace quadrille::contract {

/// What the generated C++ class calls the step of an rpc: GiveUp -> give_up, and `register_` where the plain word is
/// one of the language's or the class's own.
[[nodiscard]] std::string step_function(const std::string& rpc);

}  // namespace quadrille::contract
