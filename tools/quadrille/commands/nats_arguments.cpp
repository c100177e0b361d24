#include "quadrille/commands/nats_arguments.hpp"

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
      command.add_option("--nats-url", url, "Where NATS is; give passwords by environment: other users see flags")
          ->envname("QUADRILLE_NATS_URL")
          ->capture_default_str();
  command.add_option("--nats-credentials", credentials, "Credentials file (JWT and seed)")
      ->envname("QUADRILLE_NATS_CREDENTIALS")
      ->check(CLI::ExistingFile);
  command.add_option("--nats-nkey", nkey, "Public NKey, with --nats-nkey-seed")->envname("QUADRILLE_NATS_NKEY");
  command.add_option("--nats-nkey-seed", nkey_seed, "File with the seed of the NKey")
      ->envname("QUADRILLE_NATS_NKEY_SEED")
      ->check(CLI::ExistingFile);
  command.add_option("--tls-ca", tls_ca, "Certificates NATS's is checked against")
      ->envname("QUADRILLE_TLS_CA")
      ->check(CLI::ExistingFile);
  command.add_option("--tls-certificate", tls_certificate, "Own certificate for NATS")
      ->envname("QUADRILLE_TLS_CERTIFICATE")
      ->check(CLI::ExistingFile);
  command.add_option("--tls-key", tls_key, "Its private key")->envname("QUADRILLE_TLS_KEY")->check(CLI::ExistingFile);
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
