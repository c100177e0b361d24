#pragma once

#include "http/http_message.hpp"

#include <map>
#include <string>

namespace quadrille::http {

/// An RFC 9457 problem: `title` is the same for every case of its kind, `detail` is about this one.
[[nodiscard]] Response problem(int status, const std::string& title, const std::string& detail);

/// A JSON object of texts, as a body.
[[nodiscard]] std::string json_object(const std::map<std::string, std::string>& members);

}  // namespace quadrille::http
