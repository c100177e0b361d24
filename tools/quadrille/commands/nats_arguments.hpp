#pragma once

#include "jetstream/jetstream_broker.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace quadrille::tool {

/// Where NATS is and who asks there, as commands that ask running participants take it.
struct NatsArguments {
  std::string url = "nats://127.0.0.1:4222";
  std::string credentials;
  std::string nkey;
  std::string nkey_seed;
  std::string tls_ca;
  std::string tls_certificate;
  std::string tls_key;
  std::string as;

  /// The option of the URL, for what excludes it.
  CLI::Option* add_to(CLI::App& command);
  [[nodiscard]] jetstream::JetStreamSettings settings() const;
};

}  // namespace quadrille::tool
