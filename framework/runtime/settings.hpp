#pragma once

#include "telemetry/log.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace quadrille::runtime {

/// Where the relay learns what to publish; framework/DESIGN.md "Event store and outbox".
enum class RelayKind { polling, log_tailing };

/// Everything a deployment decides, with its defaults. From the command line, the environment (QUADRILLE_NATS_URL for
/// nats_url, and so on) or a file (--config, TOML or INI), in that order of weight.
struct Settings {
  std::string nats_url = "nats://127.0.0.1:4222";
  std::uint32_t replicas = 1;    ///< of the streams, on a cluster of NATS servers
  std::string nats_credentials;  ///< file
  std::string nats_nkey;         ///< public key
  std::string nats_nkey_seed;    ///< file
  std::string tls_ca;            ///< file, for NATS; PostgreSQL's is in its URL (sslrootcert)
  std::string tls_certificate;   ///< file
  std::string tls_key;           ///< file
  std::string database_url;
  int database_connections = 8;
  RelayKind relay = RelayKind::polling;
  std::string http;            ///< host:port; empty: no edge
  std::string metrics_listen;  ///< host:port; empty: beside the edge, or a free port of loopback where there is none
  std::string instance;
  telemetry::Level log_level = telemetry::Level::info;
  telemetry::Format log_format = telemetry::Format::text;
  std::chrono::milliseconds start_timeout{30'000};
  std::chrono::milliseconds stop_timeout{20'000};
  std::chrono::milliseconds lease_time{5000};
  std::uint32_t batch = 100;
  std::uint32_t max_attempts = 12;
  std::chrono::milliseconds first_retry{200};
  std::map<std::string, std::chrono::milliseconds> timeouts;  ///< of timer steps, by step name
};

/// Reads the settings of `participant`. An exit code instead when the process is to end: 0 after --help, 2 after an
/// error it has printed.
struct ParsedSettings {
  Settings settings;
  std::optional<int> exit_code;
};
[[nodiscard]] ParsedSettings parse_settings(int argc, char** argv, const std::string& participant);

/// One line a setting, without secrets.
[[nodiscard]] std::string printable(const Settings& settings);

}  // namespace quadrille::runtime
