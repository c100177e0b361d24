#include "quadrille/commands/source_arguments.hpp"

namespace quadrille::tool {

void add_source(CLI::App& command, traffic::Source& source, bool required) {
  auto* group = command.add_option_group("where recorded events are");
  group->add_option("--nats-url", source.nats_url, "JetStream, such as nats://127.0.0.1:4222");
  group->add_option("--database-url", source.database_url,
                    "A participant's event store, as libpq takes it; its password by PGPASSWORD");
  group->add_option("--file", source.file, "A file with an event a line (NDJSON)")->check(CLI::ExistingFile);
  group->require_option(required ? 1 : 0, 1);
  command.add_option("--nats-credentials", source.nats_credentials, "Credentials file (JWT and seed)")
      ->envname("QUADRILLE_NATS_CREDENTIALS")
      ->check(CLI::ExistingFile);
  command.add_option("--tls-ca", source.tls_ca, "Certificates NATS's is checked against")
      ->envname("QUADRILLE_TLS_CA")
      ->check(CLI::ExistingFile);
  command.add_option("--from-sequence", source.first_sequence, "First message of the stream EVT to read")
      ->capture_default_str();
}

}  // namespace quadrille::tool
