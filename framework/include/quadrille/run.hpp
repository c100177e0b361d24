#pragma once

#include "quadrille/edge.hpp"
#include "quadrille/participant.hpp"

namespace quadrille {

/// Runs a participant until SIGTERM or SIGINT: settings from file, environment and flags (`--help` lists them), the
/// contract checked against what is linked, streams and consumers created or compared, then dispatcher, relay and
/// sweeper. On a signal it takes no more work, finishes what it has begun, publishes what is committed, and returns.
/// `case run FILE...` as arguments runs the steps over recorded sagas instead (framework/DESIGN.md "Running again").
/// Exit code 0 after a graceful stop, 2 when the set-up is wrong or something it needs cannot be reached at start.
int run(int argc, char** argv, Participant& participant, const Edge& edge = {});

template <class Service>
int run(int argc, char** argv, const Edge& edge = {}) {
  Service service;
  return run(argc, argv, service, edge);
}

}  // namespace quadrille
