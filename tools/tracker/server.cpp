#include "tracker/server.hpp"

#include "http/body.hpp"
#include "tracker/console_routes.hpp"
#include "tracker/filter_query.hpp"
#include "tracker/metrics.hpp"
#include "tracker/question.hpp"

#include <chrono>
#include <memory>

namespace quadrille::tracker {
namespace {

constexpr std::chrono::milliseconds between_moves{500};
constexpr std::chrono::milliseconds longest_wait{900};

using http::Request;
using http::Response;

/// A handler of requests with these parameters, and what it throws as an answer.
http::HttpServer::Handler answered(std::vector<std::string_view> parameters,
                                   std::function<Response(const Request&)> handler) {
  return [parameters = std::move(parameters), handler = std::move(handler)](const Request& request) -> Response {
    try {
      check_question(request, parameters);
      return handler(request);
    } catch (const Error& error) {
      const bool asked_wrongly = error.disposition() == Disposition::park;
      return asked_wrongly ? http::problem(400, "The request is not right", error.what())
                           : http::problem(503, "The tracker cannot answer now", error.what());
    } catch (const std::exception& error) {
      return http::problem(500, "The tracker cannot answer", error.what());
    }
  };
}

Response json(const View::Json& body) {
  return {.body = body.dump(-1, ' ', false, View::Json::error_handler_t::replace),
          .headers = {{"Cache-Control", "no-store"}}};
}

}  // namespace

Server::Server(Engine& engine, View& view, Inquiries& inquiries, Acts& acts, const Clock& clock,
               const ServerSettings& settings)
    : engine_(engine),
      view_(view),
      inquiries_(inquiries),
      acts_(acts),
      clock_(clock),
      address_(settings.address),
      access_(settings.token, settings.address, settings.tls, clock),
      http_(settings.tls) {
  access_.check_start();
  http_.guard([this](const Request& request) { return access_.refused(request); });
  route_console(http_);
  route_reads();
  route_participants();
  route_health();
}

void Server::route_reads() {
  http_.get("/api/sagas", answered(filter_parameters, [this](const Request& request) {
              return json(view_.sagas(filter_of(request, clock_.now())));
            }));
  http_.get("/api/count", answered(filter_parameters, [this](const Request& request) {
              return json(view_.count(filter_of(request, clock_.now())));
            }));
  http_.get_below("/api/sagas", answered({"personal"}, [this](const Request& request) {
                    const bool personal = asked_for(request, "personal");
                    if (personal)
                      if (auto refused = access_.refused_without_token(request, "Personal data")) return *refused;
                    const auto saga = view_.saga(request.rest, personal);
                    return saga ? json(*saga)
                                : http::problem(404, "No such saga", "no event of saga " + request.rest + " is known");
                  }));
  http_.get("/api/overview", answered({}, [this](const Request&) { return json(view_.overview()); }));
  http_.get("/api/contracts", answered({}, [this](const Request&) { return json(view_.contracts()); }));
  http_.get("/api/findings", answered({}, [this](const Request&) { return Response{.body = view_.findings()}; }));
  http_.get(
      "/api/flow", answered({"saga", "style"}, [this](const Request& request) {
        const auto style = request.asked("style");
        if (!style.empty() && style != "page") refuse_value("style", style, "page");
        const auto svg =
            view_.flow_svg(request.asked("saga"), style == "page" ? graph::Style::page : graph::Style::inside);
        if (!svg) return http::problem(404, "No such saga type", "no contract declares " + request.asked("saga"));
        return Response{.body = *svg, .content_type = "image/svg+xml", .headers = {{"Cache-Control", "no-store"}}};
      }));
  http_.stream("/api/moves", "text/event-stream", [this](const Request&) { return moves(); });
}

void Server::route_participants() {
  http_.get("/api/parked", answered({"class"}, [this](const Request& request) {
              return json(inquiries_.parked(request.asked("class")));
            }));
  http_.get_below("/api/parked", answered({"participant", "personal"}, [this](const Request& request) {
                    const bool personal = asked_for(request, "personal");
                    if (personal)
                      if (auto refused = access_.refused_without_token(request, "Personal data")) return *refused;
                    const auto participant = request.asked("participant");
                    if (auto unknown = unknown_participant(view_, participant)) return *unknown;
                    const auto message = inquiries_.parked_message(participant, request.rest, personal);
                    return message ? json(*message)
                                   : http::problem(404, "No such message", request.rest + " is not stuck there");
                  }));
  http_.get("/api/instances", answered({}, [this](const Request&) { return json(inquiries_.instances()); }));
  http_.post("/api/acts", answered({}, [this](const Request& request) {
               if (auto refused = access_.refused_without_token(request, "An act")) return *refused;
               return acts_.act(request);
             }));
}

std::function<std::string()> Server::moves() const {
  auto seen = std::make_shared<std::uint64_t>(~0ULL);
  auto next = std::make_shared<std::chrono::steady_clock::time_point>();
  return [this, seen, next]() -> std::string {
    const auto now = std::chrono::steady_clock::now();
    if (now < *next) std::this_thread::sleep_for(*next - now);
    const auto moves = engine_.await_move(*seen, longest_wait);
    if (moves == *seen) return ": still here\n\n";
    *seen = moves;
    *next = std::chrono::steady_clock::now() + between_moves;
    return "event: moved\ndata: " + std::to_string(moves) + "\n\n";
  };
}

View::Json Server::instances_if_asked() {
  try {
    return inquiries_.instances();
  } catch (const Error&) {
    return nullptr;  // other series tell that the broker is away
  }
}

void Server::route_health() {
  http_.get("/live", [](const Request&) { return Response{.body = R"({"live": "yes"})"}; });
  http_.get("/ready", answered({}, [this](const Request&) {
              const auto progress = engine_.progress();
              if (progress.broker && progress.database) return Response{.body = R"({"ready": "yes"})"};
              return http::problem(503, "Not ready",
                                   std::string(progress.database ? "the broker" : "the database") + " does not answer");
            }));
  http_.get("/metrics", answered({}, [this](const Request&) {
              return Response{.body = metrics_text(view_.overview(), instances_if_asked(), engine_, clock_.now()),
                              .content_type = "text/plain; version=0.0.4; charset=utf-8"};
            }));
}

}  // namespace quadrille::tracker
