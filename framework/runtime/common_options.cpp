#include "runtime/common_options.hpp"

namespace quadrille::runtime {

CLI::Option* add_nats_options(CLI::App& app, const NatsFlags& flags) {
  auto* where = app.add_option("--nats-url", flags.url,
                               "Where NATS is; give passwords by environment or file: other users see flags")
                    ->envname("QUADRILLE_NATS_URL")
                    ->capture_default_str();
  app.add_option("--nats-credentials", flags.credentials, "Credentials file (JWT and seed)")
      ->envname("QUADRILLE_NATS_CREDENTIALS")
      ->check(CLI::ExistingFile);
  app.add_option("--nats-nkey", flags.nkey, "Public NKey, with --nats-nkey-seed")->envname("QUADRILLE_NATS_NKEY");
  app.add_option("--nats-nkey-seed", flags.nkey_seed, "File with the seed of the NKey")
      ->envname("QUADRILLE_NATS_NKEY_SEED")
      ->check(CLI::ExistingFile);
  app.add_option("--tls-ca", flags.tls_ca, "Certificates NATS's is checked against")
      ->envname("QUADRILLE_TLS_CA")
      ->check(CLI::ExistingFile);
  app.add_option("--tls-certificate", flags.tls_certificate, "Own certificate for NATS")
      ->envname("QUADRILLE_TLS_CERTIFICATE")
      ->check(CLI::ExistingFile);
  app.add_option("--tls-key", flags.tls_key, "Its private key")->envname("QUADRILLE_TLS_KEY")->check(CLI::ExistingFile);
  return where;
}

void add_log_options(CLI::App& app, telemetry::Level& level, telemetry::Format& format) {
  using telemetry::Format;
  using telemetry::Level;
  add_choice(app, "--log-level", level,
             {{"debug", Level::debug}, {"info", Level::info}, {"warn", Level::warn}, {"error", Level::error}},
             "debug, info, warn or error")
      ->envname("QUADRILLE_LOG_LEVEL")
      ->type_name("LEVEL");
  add_choice(app, "--log-format", format, {{"text", Format::text}, {"json", Format::json}}, "text or json")
      ->envname("QUADRILLE_LOG_FORMAT")
      ->type_name("FORMAT");
}

}  // namespace quadrille::runtime
