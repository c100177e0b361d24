#pragma once

#include "http/http_message.hpp"
#include "tracker/list.hpp"

namespace quadrille::tracker {

/// The filter in a request's query. Throws Error(park) that names the parameter, its value and what it may be.
[[nodiscard]] Filter filter_of(const http::Request& request, TimePoint now);

}  // namespace quadrille::tracker
