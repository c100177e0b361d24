#pragma once

#include "http/http_server.hpp"

namespace quadrille::tracker {

/// Serves the console: its page at /, its files below /console. Says in every answer of the server that a page of it
/// loads and runs nothing but those.
void route_console(http::HttpServer& server);

}  // namespace quadrille::tracker
