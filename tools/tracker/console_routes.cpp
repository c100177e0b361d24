#include "tracker/console_routes.hpp"

#include "core/sha256.hpp"
#include "graph/svg.hpp"
#include "http/body.hpp"
#include "tracker/console_files.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace quadrille::tracker {
namespace {

constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

std::string content_type(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/javascript; charset=utf-8";
}

/// Asked for again each time, and not sent again while it is the same.
http::HttpServer::Handler serve(std::string_view name, std::string_view bytes) {
  const auto tag = '"' + sha256(bytes).substr(0, 32) + '"';
  return [tag, bytes, type = content_type(name)](const http::Request& request) -> http::Response {
    std::map<std::string, std::string> headers{{"ETag", tag}, {"Cache-Control", "no-cache"}};
    if (request.header("if-none-match") == tag) return {304, "", type, headers};
    return {200, std::string(bytes), type, headers};
  };
}

}  // namespace

void route_console(http::HttpServer& server) {
  server.always({{"Content-Security-Policy", policy},
                 {"X-Content-Type-Options", "nosniff"},
                 {"Referrer-Policy", "no-referrer"},
                 {"Cross-Origin-Resource-Policy", "same-origin"},
                 {"Cross-Origin-Opener-Policy", "same-origin"},
                 {"X-Frame-Options", "DENY"}});
  for (const auto& file : console_files()) {
    if (file.name == "console.html")
      server.get("/", serve(file.name, file.bytes));
    else
      server.get("/console/" + std::string(file.name), serve(file.name, file.bytes));
  }
  // Drawings come without their style: no page of ours takes a style that stands in its text.
  server.get("/console/drawing.css", serve("drawing.css", graph::svg_style()));
}

}  // namespace quadrille::tracker
