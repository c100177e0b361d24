#pragma once

#include "telemetry/log.hpp"

#include <CLI/CLI.hpp>

#include <string>

/// Settings that every program of ours has, under the same flags and variables.
namespace quadrille::runtime {

/// Where the flags put what they are given.
struct NatsFlags {
  std::string& url;
  std::string& credentials;
  std::string& nkey;
  std::string& nkey_seed;
  std::string& tls_ca;
  std::string& tls_certificate;
  std::string& tls_key;
};

/// The option of the URL, for what excludes it.
CLI::Option* add_nats_options(CLI::App& app, const NatsFlags& flags);
void add_log_options(CLI::App& app, telemetry::Level& level, telemetry::Format& format);

}  // namespace quadrille::runtime
