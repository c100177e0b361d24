#pragma once

#include "http/http_message.hpp"
#include "tracker/list.hpp"

#include <string_view>
#include <vector>

namespace quadrille::tracker {

/// The parameters it may have.
inline const std::vector<std::string_view> filter_parameters{"saga",  "state",      "step",  "key",    "id",   "class",
                                                             "error", "older_than", "limit", "newest", "after"};

/// The filter in a request's query. Throws Error(park) that names the parameter, its value and what it may be.
[[nodiscard]] Filter filter_of(const http::Request& request, TimePoint now);

}  // namespace quadrille::tracker
