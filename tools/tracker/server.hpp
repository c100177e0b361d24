#pragma once

#include "http/http_server.hpp"
#include "tracker/access.hpp"
#include "tracker/acts.hpp"
#include "tracker/inquiries.hpp"

#include <string>

namespace quadrille::tracker {

struct ServerSettings {
  std::string address;
  std::string token;  ///< empty: nobody acts here
  http::Tls tls;
};

/// The tracker's HTTP interface: the console at /, JSON for it and for tools, /metrics, /live, /ready.
///
///   GET /api/sagas      a page of the list; saga, state (may be repeated), step, key, id, class, error, older_than
///                       (15m), limit (50, at most 1000), newest (1), after
///   GET /api/count      how many there are of them; the same parameters
///   GET /api/sagas/ID   one saga in full, with its timeline
///   GET /api/overview   counts, oldest waits, how far the tracker is
///   GET /api/flow       the drawing of a saga type: ?saga=NAME; without its style where its page has it: &style=page
///   GET /api/findings   what the checker says of the contracts that run
///   GET /api/contracts  which contracts run
///   GET /api/moves      server-sent events: one whenever something has moved, at most one every half second
///   GET /api/parked     what participants have parked; class
///   GET /api/parked/ID  one with its payload; participant, personal
///   GET /api/instances  which programs run which contracts, and how they are
///   POST /api/acts      what a person does: acts.hpp; needs the token
class Server {
 public:
  /// Throws Error(stop) when the settings would let others in.
  Server(Engine& engine, View& view, Inquiries& inquiries, Acts& acts, const Clock& clock,
         const ServerSettings& settings);

  /// Returns the port.
  int start() { return http_.start(address_, "--http"); }
  void stop() { http_.stop(); }

 private:
  void route_reads();
  void route_participants();
  void route_health();
  [[nodiscard]] View::Json instances_if_asked();
  [[nodiscard]] std::function<std::string()> moves() const;

  Engine& engine_;
  View& view_;
  Inquiries& inquiries_;
  Acts& acts_;
  const Clock& clock_;
  const std::string address_;
  Access access_;
  http::HttpServer http_;
};

}  // namespace quadrille::tracker
