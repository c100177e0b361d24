#include "runtime/settings.hpp"

#include "core/redact.hpp"
#include "core/time_text.hpp"
#include "runtime/common_options.hpp"
#include "runtime/configuration.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <cstdint>
#include <unistd.h>
#include <vector>

namespace quadrille::runtime {
namespace {

std::string default_instance() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return std::string(host.data()) + "-" + std::to_string(getpid());
}

std::chrono::milliseconds duration(const std::string& flag, const std::string& text) {
  const auto read = duration_from(text);
  if (!read) throw CLI::ValidationError(flag, "'" + text + "' is not a time such as 500ms, 3s, 15m or 2h");
  return *read;
}

/// As it can be given again.
std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

void add_duration(CLI::App& app, const std::string& flag, const std::string& variable,
                  std::chrono::milliseconds& target, const std::string& help) {
  app.add_option_function<std::string>(
         flag, [&target, flag](const std::string& text) { target = duration(flag, text); }, help)
      ->envname(variable)
      ->type_name("TIME")
      ->default_str(without_spaces(duration_text(target)));
}

void add_timeouts(CLI::App& app, std::map<std::string, std::chrono::milliseconds>& timeouts) {
  app.add_option_function<std::vector<std::string>>(
         "--timeout",
         [&timeouts](const std::vector<std::string>& entries) {
           for (const auto& entry : entries) {
             const auto equals = entry.find('=');
             if (equals == std::string::npos)
               throw CLI::ValidationError("--timeout", "'" + entry + "' is not STEP=TIME, such as GiveUp=3s");
             timeouts[entry.substr(0, equals)] = duration("--timeout", entry.substr(equals + 1));
           }
         },
         "Runs a timer step after this time instead of its contract's, such as GiveUp=3s; may be repeated")
      ->envname("QUADRILLE_TIMEOUT")
      ->delimiter(',')
      ->type_name("STEP=TIME");
}

void add_connections(CLI::App& app, Settings& settings) {
  add_nats_options(app, {settings.nats_url, settings.nats_credentials, settings.nats_nkey, settings.nats_nkey_seed,
                         settings.tls_ca, settings.tls_certificate, settings.tls_key});
  app.add_option(
         "--replicas", settings.replicas,
         "Servers of the NATS cluster that keep a copy of the streams; as `quadrille deploy --replicas` was told")
      ->envname("QUADRILLE_REPLICAS")
      ->check(CLI::Range(1, 5))
      ->capture_default_str();
  app.add_option("--database-url", settings.database_url,
                 "Where this participant's PostgreSQL is, as libpq takes it. With a password, give it by environment "
                 "or file: other users see flags")
      ->envname("QUADRILLE_DATABASE_URL");
  app.add_option("--database-connections", settings.database_connections, "Connections at most")
      ->envname("QUADRILLE_DATABASE_CONNECTIONS")
      ->check(CLI::Range(4, 1000))
      ->capture_default_str();
  add_choice(app, "--relay", settings.relay, {{"polling", RelayKind::polling}, {"log-tailing", RelayKind::log_tailing}},
             "polling reads what is to be published from a table; log-tailing from PostgreSQL's log, sooner and with "
             "less work, after `quadrille migrate --log-tailing`")
      ->envname("QUADRILLE_RELAY")
      ->type_name("KIND");
}

void add_behaviour(CLI::App& app, Settings& settings) {
  app.add_option("--http", settings.http, "Serve the edge, /live, /ready and /metrics on host:port")
      ->envname("QUADRILLE_HTTP");
  app.add_option("--metrics-listen", settings.metrics_listen,
                 "Serve /live, /ready and /metrics on this host:port; without it they are on --http, or on a free port "
                 "of 127.0.0.1 that the log names")
      ->envname("QUADRILLE_METRICS_LISTEN");
  app.add_option("--instance", settings.instance, "Name of this process among those of the participant")
      ->envname("QUADRILLE_INSTANCE")
      ->default_str("HOST-PID");
  add_log_options(app, settings.log_level, settings.log_format);
  app.add_option("--batch", settings.batch, "Deliveries in one transaction at most")
      ->envname("QUADRILLE_BATCH")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  app.add_option("--max-attempts", settings.max_attempts,
                 "Tries of a step before its message is parked; a compensation is reported stuck then, and tried on")
      ->envname("QUADRILLE_MAX_ATTEMPTS")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  add_duration(app, "--first-retry", "QUADRILLE_FIRST_RETRY", settings.first_retry,
               "Wait before the second try; doubles up to one hour");
  add_duration(app, "--lease-time", "QUADRILLE_LEASE_TIME", settings.lease_time,
               "How long the work of a dead instance waits for another to take over");
  add_duration(app, "--start-timeout", "QUADRILLE_START_TIMEOUT", settings.start_timeout,
               "How long to wait for NATS and PostgreSQL at start");
  add_duration(app, "--stop-timeout", "QUADRILLE_STOP_TIMEOUT", settings.stop_timeout,
               "How long to go on publishing what is committed when asked to stop");
  add_timeouts(app, settings.timeouts);
}

}  // namespace

ParsedSettings parse_settings(int argc, char** argv, const std::string& participant) {
  ParsedSettings parsed;
  parsed.settings.instance = default_instance();
  CLI::App app(
      "Participant \"" + participant +
          "\" of a Quadrille choreography.\nEach setting may also stand in the file of --config or in the "
          "environment variable behind it; a flag has the most "
          "weight, then the environment.\n"
          "`case run FILE...` instead of settings runs its steps over recorded sagas; `case run --help` says how.\n"
          "Exit code: 0 stopped when asked to, 2 could not start or had to stop.",
      participant);
  Configuration configuration(app);
  add_connections(app, parsed.settings);
  add_behaviour(app, parsed.settings);
  configuration.required("database-url");
  configuration.together("nats-nkey", "nats-nkey-seed");
  configuration.together("tls-certificate", "tls-key");
  parsed.exit_code = configuration.read(argc, argv);
  return parsed;
}

std::string printable(const Settings& settings) {
  return "nats-url=" + without_password(settings.nats_url) +
         (settings.replicas == 1 ? "" : " replicas=" + std::to_string(settings.replicas)) +
         " database-url=" + without_password(settings.database_url) + " instance=" + settings.instance +
         (settings.relay == RelayKind::log_tailing ? " relay=log-tailing" : "") +
         (settings.http.empty() ? "" : " http=" + settings.http);
}

}  // namespace quadrille::runtime
