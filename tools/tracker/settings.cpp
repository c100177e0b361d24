#include "tracker/settings.hpp"

#include "core/time_text.hpp"
#include "runtime/common_options.hpp"
#include "runtime/configuration.hpp"

namespace quadrille::tracker {
namespace {

void add_connections(CLI::App& app, EngineSettings& settings) {
  auto& nats = settings.nats;
  runtime::add_nats_options(app, {nats.url, nats.credentials_file, nats.nkey, nats.nkey_seed_file, nats.tls_ca,
                                  nats.tls_certificate, nats.tls_key});
  app.add_option("--database-url", settings.database.url,
                 "Where the tracker's own PostgreSQL database is, as libpq takes it; it makes its tables itself. With "
                 "a password, give it by environment or file: other users see flags")
      ->envname("QUADRILLE_DATABASE_URL");
}

/// Reading and acting are two rights: a tracker that only reads needs no more than the first.
struct Operator {
  std::string url;
  std::string credentials;
  std::string nkey;
  std::string nkey_seed;

  void add_to(CLI::App& app) {
    app.add_option("--operator-nats-url", url,
                   "Where NATS is for acts of people, with the user that may act; without this and the next three they "
                   "go as whoever reads, which the derived permissions refuse")
        ->envname("QUADRILLE_OPERATOR_NATS_URL");
    app.add_option("--operator-nats-credentials", credentials, "Credentials file of that user (JWT and seed)")
        ->envname("QUADRILLE_OPERATOR_NATS_CREDENTIALS")
        ->check(CLI::ExistingFile);
    app.add_option("--operator-nats-nkey", nkey, "Public NKey of that user, with --operator-nats-nkey-seed")
        ->envname("QUADRILLE_OPERATOR_NATS_NKEY");
    app.add_option("--operator-nats-nkey-seed", nkey_seed, "File with the seed of that NKey")
        ->envname("QUADRILLE_OPERATOR_NATS_NKEY_SEED")
        ->check(CLI::ExistingFile);
  }
  [[nodiscard]] std::optional<jetstream::JetStreamSettings> settings(jetstream::JetStreamSettings reading) const {
    if (url.empty() && credentials.empty() && nkey.empty()) return std::nullopt;
    reading.client_name = "operator";
    if (!url.empty()) reading.url = url;
    reading.credentials_file = credentials;
    reading.nkey = nkey;
    reading.nkey_seed_file = nkey_seed;
    return reading;
  }
};

void add_behaviour(CLI::App& app, Settings& settings) {
  app.add_option("--http", settings.http, "Serve the console, the API, /live, /ready and /metrics on host:port")
      ->envname("QUADRILLE_HTTP")
      ->capture_default_str();
  app.add_option("--http-certificate", settings.tls.certificate_file,
                 "Serve it by TLS with this certificate (PEM, with those it is derived from). Outside of the loopback "
                 "interface TLS and a token are needed")
      ->envname("QUADRILLE_HTTP_CERTIFICATE")
      ->check(CLI::ExistingFile);
  app.add_option("--http-key", settings.tls.key_file, "Its private key (PEM)")
      ->envname("QUADRILLE_HTTP_KEY")
      ->check(CLI::ExistingFile);
  app.add_option("--token-file", settings.token_file,
                 "File with the token that acts of people have to carry, and every request from other machines; "
                 "without one nobody acts here")
      ->envname("QUADRILLE_TOKEN_FILE")
      ->check(CLI::ExistingFile);
  app.add_option_function<std::string>(
         "--keep-finished",
         [&settings](const std::string& text) {
           const auto read = duration_from(text);
           if (!read) throw CLI::ValidationError("--keep-finished", "'" + text + "' is not a time such as 12h or 720h");
           settings.engine.keep_finished = std::chrono::duration_cast<std::chrono::hours>(*read);
         },
         "How long sagas that are over stay in the list")
      ->envname("QUADRILLE_KEEP_FINISHED")
      ->type_name("TIME")
      ->default_str("720h");
  runtime::add_log_options(app, settings.log_level, settings.log_format);
}

}  // namespace

ParsedSettings parse_settings(int argc, char** argv) {
  ParsedSettings parsed;
  auto& settings = parsed.settings;
  settings.engine.nats.url = "nats://127.0.0.1:4222";
  settings.engine.nats.client_name = "tracker";
  settings.engine.database.application_name = "tracker";
  CLI::App app(
      "Tracks every saga of a choreography: reads all events, keeps where each saga stands in a database of its own, "
      "and shows it.\nIt decides nothing, and can be stopped, started and rebuilt at any time.\n"
      "Each setting may also stand in the file of --config or in the environment variable behind it; a flag has the "
      "most "
      "weight, then the environment.\n"
      "Exit code: 0 stopped when asked to, 2 could not start.",
      "quadrille-tracker");
  runtime::Configuration configuration(app);
  add_connections(app, settings.engine);
  Operator acting;
  acting.add_to(app);
  add_behaviour(app, settings);
  configuration.required("database-url");
  configuration.together("nats-nkey", "nats-nkey-seed");
  configuration.together("tls-certificate", "tls-key");
  configuration.together("operator-nats-nkey", "operator-nats-nkey-seed");
  configuration.together("http-certificate", "http-key");
  parsed.exit_code = configuration.read(argc, argv);
  settings.acting = acting.settings(settings.engine.nats);
  return parsed;
}

}  // namespace quadrille::tracker
