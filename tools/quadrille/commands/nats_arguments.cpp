#include "quadrille/commands/nats_arguments.hpp"

#include "runtime/common_options.hpp"

namespace quadrille::tool {
namespace {

constexpr const char* usual_user = "operator";

/// nats://user:password@host -> user; empty where there is none, or a token.
std::string user_of(const std::string& url) {
  const auto begin = url.find("://");
  const auto end = url.find('@');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  const auto login = url.substr(begin + 3, end - begin - 3);
  const auto colon = login.find(':');
  return colon == std::string::npos ? std::string{} : login.substr(0, colon);
}

}  // namespace

CLI::Option* NatsArguments::add_to(CLI::App& command) {
  auto* where =
      runtime::add_nats_options(command, {url, credentials, nkey, nkey_seed, tls_ca, tls_certificate, tls_key});
  command
      .add_option("--as", as,
                  "User of the server's permissions, to whose inbox (_INBOX_<user>) answers come; default: the one in "
                  "the URL, or operator")
      ->envname("QUADRILLE_NATS_USER");
  return where;
}

jetstream::JetStreamSettings NatsArguments::settings() const {
  jetstream::JetStreamSettings settings;
  settings.url = url;
  settings.client_name = as.empty() ? user_of(url) : as;
  if (settings.client_name.empty()) settings.client_name = usual_user;
  settings.credentials_file = credentials;
  settings.nkey = nkey;
  settings.nkey_seed_file = nkey_seed;
  settings.tls_ca = tls_ca;
  settings.tls_certificate = tls_certificate;
  settings.tls_key = tls_key;
  settings.connect_timeout = std::chrono::seconds(5);
  return settings;
}

}  // namespace quadrille::tool
