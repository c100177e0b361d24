#pragma once

#include "core/event.hpp"

#include <functional>
#include <istream>
#include <string>

namespace quadrille::traffic {

/// One event as one line of JSON, without the line's end. Field names are those of the headers on the wire; the payload
/// is base64.
[[nodiscard]] std::string to_ndjson(const Event& event);

/// Every line as an event; empty lines are skipped. Throws std::runtime_error that names the line where one is none.
void read_ndjson(std::istream& input, const std::string& name, const std::function<void(const Event&)>& take);

}  // namespace quadrille::traffic
