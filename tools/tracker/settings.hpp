#pragma once

#include "http/http_server.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "telemetry/log.hpp"
#include "tracker/engine.hpp"

#include <optional>
#include <string>

namespace quadrille::tracker {

/// Everything a deployment of the tracker decides. From the command line, the environment (QUADRILLE_NATS_URL for
/// --nats-url, and so on) or a file (--config), in that order of weight.
struct Settings {
  EngineSettings engine;
  std::string http = "127.0.0.1:8080";
  http::Tls tls;                                       ///< of that
  std::optional<jetstream::JetStreamSettings> acting;  ///< as whom people's acts go; without it as whoever reads
  std::string token_file;  ///< what an act has to carry as its bearer; empty: nobody acts here
  telemetry::Level log_level = telemetry::Level::info;
  telemetry::Format log_format = telemetry::Format::text;
};

/// An exit code instead when the process is to end: 0 after --help, 2 after an error it has printed.
struct ParsedSettings {
  Settings settings;
  std::optional<int> exit_code;
};
[[nodiscard]] ParsedSettings parse_settings(int argc, char** argv);

}  // namespace quadrille::tracker
