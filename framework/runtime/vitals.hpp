#pragma once

#include "core/broker.hpp"
#include "core/store.hpp"
#include "http/http_server.hpp"
#include "runtime/lease_keeper.hpp"
#include "telemetry/instruments.hpp"

#include <map>
#include <string>

namespace quadrille::runtime {

/// What an operator and a supervisor ask a running instance: /live, /ready and /metrics. Thread-safe.
class Vitals {
 public:
  /// The topology has been verified before this is made: a service does not start otherwise.
  Vitals(Store& store, const Broker& broker, const LeaseKeeper& leases, telemetry::Instruments& instruments)
      : store_(store), broker_(broker), leases_(leases), instruments_(instruments) {}

  /// The server does not outlive this object.
  void serve(http::HttpServer& server);

  struct State {
    bool good = false;
    std::map<std::string, std::string> reasons;  ///< by what is looked at: "ok", or why not
  };
  /// Not when a loop hangs: nothing but a restart helps.
  [[nodiscard]] State live() const;
  /// Not when something it needs is away: it goes on by itself when that is back. `database`: "ok", or why not.
  [[nodiscard]] State ready(const std::string& database) const;

 private:
  [[nodiscard]] http::Response metrics() const;

  Store& store_;
  const Broker& broker_;
  const LeaseKeeper& leases_;
  telemetry::Instruments& instruments_;
};

}  // namespace quadrille::runtime
