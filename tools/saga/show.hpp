#pragma once

#include "core/clock.hpp"

#include <nlohmann/json.hpp>

#include <string>

/// The tracker's answers as people read them.
namespace quadrille::saga {

/// {"sagas": [...]} as one line a saga.
[[nodiscard]] std::string list_text(const nlohmann::ordered_json& page, TimePoint now);

/// One saga in full: where it stands and why, what is owed, what may be done, what happened.
[[nodiscard]] std::string saga_text(const nlohmann::ordered_json& saga, TimePoint now);

}  // namespace quadrille::saga
