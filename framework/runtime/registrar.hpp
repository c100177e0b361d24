#pragma once

#include "core/broker.hpp"
#include "runtime/part.hpp"
#include "telemetry/log.hpp"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace quadrille::runtime {

/// Says in the broker's registry which contract this instance runs, at its start and again before the entry vanishes:
/// the registry shows what is deployed. Nothing depends on it; where it cannot be said, a line in the log tells.
class Registrar {
 public:
  Registrar(const Part& part, Broker& broker, const telemetry::Log& log, const std::string& instance);
  ~Registrar();

 private:
  void run(const std::stop_token& stopping);
  [[nodiscard]] Message registration() const;

  const Part& part_;
  Broker& broker_;
  const telemetry::Log& log_;
  const std::string instance_;
  std::mutex mutex_;
  std::condition_variable_any bell_;
  std::jthread worker_;
};

}  // namespace quadrille::runtime
