#pragma once

#include "core/broker.hpp"
#include "core/clock.hpp"
#include "core/store.hpp"
#include "quadrille/control/v1/control.pb.h"
#include "runtime/database_probe.hpp"
#include "runtime/desk.hpp"
#include "runtime/lease_keeper.hpp"
#include "runtime/part.hpp"
#include "runtime/settings.hpp"
#include "runtime/vitals.hpp"
#include "telemetry/log.hpp"

#include <memory>
#include <string>
#include <vector>

namespace quadrille::runtime {

/// Answers what people ask an instance over the broker, and acts when they say so: framework/DESIGN.md "Control".
/// Whatever goes wrong is an answer. Questions are answered on threads of the broker port's, so nothing else waits for
/// them. From construction to destruction.
class Control {
 public:
  struct Instance {
    std::string name;
    RelayKind relay = RelayKind::polling;
  };
  /// Everything it is given outlives it.
  Control(const Part& part, Store& store, OutboxSource& source, Broker& broker, const LeaseKeeper& leases,
          const Vitals& vitals, const Clock& clock, const telemetry::Log& log, Instance instance);

 private:
  enum class Asked { participant, instances, to_act };
  void serve(const std::string& subject, const std::string& group, Asked how);
  [[nodiscard]] std::string reply(const std::string& question, Asked how);
  /// Why this is not for the subject it came by; empty where it is.
  [[nodiscard]] std::string misdirected(const control::v1::Ask& ask, Asked how) const;
  void answer(const control::v1::Ask& ask, control::v1::Answer& answer);
  void log_act(const control::v1::Ask& ask) const;
  [[nodiscard]] control::v1::StatusReport status(const control::v1::Status& asked);

  const Part& part_;
  Broker& broker_;
  const LeaseKeeper& leases_;
  const Vitals& vitals_;
  const Clock& clock_;
  const telemetry::Log& log_;
  const Instance instance_;
  const TimePoint started_at_;
  const Desk desk_;
  DatabaseProbe database_;
  std::vector<std::unique_ptr<Serving>> servings_;  ///< last: they use everything above
};

}  // namespace quadrille::runtime
