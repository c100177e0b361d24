#pragma once

#include "telemetry/log.hpp"

#include <CLI/CLI.hpp>

#include <map>
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

/// An option of a fixed list of words.
template <class Value>
CLI::Option* add_choice(CLI::App& app, const std::string& flag, Value& target,
                        const std::map<std::string, Value>& words, const std::string& help) {
  std::string usual;
  for (const auto& [word, value] : words)
    if (value == target) usual = word;
  return app
      .add_option_function<std::string>(
          flag, [&target, words](const std::string& word) { target = words.at(word); }, help)
      ->check(CLI::IsMember(words).description(""))
      ->default_str(usual);
}

void add_log_options(CLI::App& app, telemetry::Level& level, telemetry::Format& format);

}  // namespace quadrille::runtime
