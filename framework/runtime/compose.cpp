// The one place where ports meet adapters.
#include "jetstream/jetstream_broker.hpp"
#include "postgres/postgres_store.hpp"
#include "postgres/replication/tailing_source.hpp"
#include "quadrille/error.hpp"
#include "quadrille/run.hpp"
#include "rerun/case_command.hpp"
#include "runtime/polling_source.hpp"
#include "runtime/service.hpp"
#include "runtime/settings.hpp"

#include <atomic>
#include <csignal>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>

namespace quadrille {
namespace {

constexpr int set_up_is_wrong = 2;

/// Ends the process in good order when a thread finds that only a person can mend things.
class SignalStopper final : public runtime::Stopper {
 public:
  explicit SignalStopper(const telemetry::Log& log) : log_(log) {}

  void stop_because(const std::string& reason) override {
    log_.error("stopping: " + reason);
    fatal_ = true;
    ::kill(::getpid(), SIGTERM);
  }
  [[nodiscard]] bool fatal() const { return fatal_; }

 private:
  const telemetry::Log& log_;
  std::atomic<bool> fatal_{false};
};

/// Blocked in every thread, taken by the main one.
sigset_t block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return signals;
}

jetstream::JetStreamSettings broker_settings(const runtime::Settings& settings, const std::string& participant,
                                             const telemetry::Log& log, const telemetry::Metrics& metrics) {
  jetstream::JetStreamSettings broker;
  broker.url = settings.nats_url;
  broker.client_name = participant;
  broker.credentials_file = settings.nats_credentials;
  broker.nkey = settings.nats_nkey;
  broker.nkey_seed_file = settings.nats_nkey_seed;
  broker.tls_ca = settings.tls_ca;
  broker.tls_certificate = settings.tls_certificate;
  broker.tls_key = settings.tls_key;
  broker.connect_timeout = settings.start_timeout;
  broker.warn = [&log](const std::string& text) { log.warn(text); };
  broker.reconnected = [&metrics] { metrics.add(telemetry::Counter::broker_reconnects); };
  broker.duplicate = [&metrics] { metrics.add(telemetry::Counter::publish_duplicates); };
  return broker;
}

postgres::PostgresSettings store_settings(const runtime::Settings& settings, const std::string& participant,
                                          const telemetry::Metrics& metrics) {
  postgres::PostgresSettings store;
  store.url = settings.database_url;
  store.application_name = participant;
  store.connections = settings.database_connections;
  store.connect_timeout = settings.start_timeout;
  store.reconnected = [&metrics] { metrics.add(telemetry::Counter::database_reconnects); };
  return store;
}

std::unique_ptr<OutboxSource> outbox_source(const runtime::Settings& settings, Store& store,
                                            const postgres::PostgresSettings& database, const telemetry::Log& log) {
  if (settings.relay == runtime::RelayKind::log_tailing) {
    postgres::TailingSettings tailing;
    tailing.warn = [&log](const std::string& text) { log.warn(text); };
    tailing.info = [&log](const std::string& text) { log.info(text); };
    return postgres::tail(store, database, tailing);
  }
  if (const auto warning = postgres::forgotten_slot(store); !warning.empty()) log.warn(warning);
  return std::make_unique<runtime::PollingSource>(store, [&store] { return postgres::slot_lag_bytes(store); });
}

int serve(Participant& participant, const Edge& edge, const runtime::Settings& settings, const telemetry::Log& log,
          const sigset_t& signals) {
  const runtime::Part part(participant, settings.timeouts);
  log.info("starting with contract " + part.fingerprint().substr(0, 12) + ", " + printable(settings));
  const SystemClock clock;
  SignalStopper stopper(log);
  telemetry::Instruments instruments(part.name());
  const auto database = store_settings(settings, part.name(), instruments.metrics);
  const auto store = postgres::connect(database);
  const auto source = outbox_source(settings, *store, database, log);
  const auto broker = jetstream::connect(broker_settings(settings, part.name(), log, instruments.metrics));
  {
    const runtime::Service service(part, edge, *store, *source, *broker, clock, log, instruments, stopper, settings);
    log.info("ready, " +
             (service.http_port() == 0 ? "" : "http on port " + std::to_string(service.http_port()) + ", ") +
             "metrics on port " + std::to_string(service.metrics_port()));
    int signal = 0;
    sigwait(&signals, &signal);
    log.info("stopping: finishing what is in hand");
  }
  log.info("stopped");
  return stopper.fatal() ? set_up_is_wrong : 0;
}

}  // namespace

int run(int argc, char** argv, Participant& participant, const Edge& edge) {
  const auto name = participant.contract().file()->options().GetExtension(v1::participant).name();
  if (argc > 1 && std::string_view(argv[1]) == "case") return rerun::case_command(argc, argv, participant, name);
  const auto signals = block_stop_signals();
  const auto [settings, exit_code] = runtime::parse_settings(argc, argv, name);
  if (exit_code) return *exit_code;
  const telemetry::Log log(name, settings.log_level, settings.log_format);
  try {
    return serve(participant, edge, settings, log, signals);
  } catch (const std::exception& error) {
    log.error(error.what());
    return set_up_is_wrong;
  }
}

}  // namespace quadrille
