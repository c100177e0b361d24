#pragma once

#include "http/http_server.hpp"
#include "tracker/view.hpp"

#include <string>

namespace quadrille::tracker {

/// The tracker's HTTP interface: JSON for tools and the console, /metrics, /live, /ready.
///
///   GET /api/sagas      a page of the list; saga, state (may be repeated), step, key, id, class, error, older_than
///                       (15m), limit (50, at most 1000), newest (1), after
///   GET /api/count      how many there are of them; the same parameters
///   GET /api/sagas/ID   one saga in full, with its timeline
///   GET /api/overview   counts, oldest waits, how far the tracker is
///   GET /api/flow       the drawing of a saga type: ?saga=NAME
///   GET /api/findings   what the checker says of the contracts that run
///   GET /api/contracts  which contracts run
///   GET /api/moves      server-sent events: one whenever something has moved, at most one every half second
///   POST /api/rebuild   folds the stream anew from its beginning; needs the token
class Server {
 public:
  Server(Engine& engine, View& view, const Clock& clock, std::string token);

  /// Returns the port.
  int start(const std::string& address) { return http_.start(address, "--http"); }
  void stop() { http_.stop(); }

 private:
  void route_reads();
  void route_health();
  [[nodiscard]] bool may_act(const http::Request& request) const;
  [[nodiscard]] std::function<std::string()> moves() const;

  Engine& engine_;
  View& view_;
  const Clock& clock_;
  const std::string token_;
  http::HttpServer http_;
};

}  // namespace quadrille::tracker
