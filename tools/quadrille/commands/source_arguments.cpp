#include "quadrille/commands/source_arguments.hpp"

#include "core/time_text.hpp"

#include <cstdlib>
#include <memory>

namespace quadrille::tool {

void add_source(CLI::App& command, traffic::Source& source) {
  auto* group = command.add_option_group("where recorded events are");
  group->add_option("--nats-url", source.nats_url,
                    "JetStream, such as nats://127.0.0.1:4222; where no source is given: QUADRILLE_NATS_URL");
  group->add_option("--database-url", source.database_url,
                    "A participant's event store, as libpq takes it; its password by PGPASSWORD");
  group->add_option("--file", source.file, "A file with an event a line (NDJSON)")->check(CLI::ExistingFile);
  group->add_option("--archive", source.archive, "A file that `quadrille archive create` wrote")
      ->check(CLI::ExistingFile);
  group->require_option(0, 1);
  command.add_option("--nats-credentials", source.nats_credentials, "Credentials file (JWT and seed)")
      ->envname("QUADRILLE_NATS_CREDENTIALS")
      ->check(CLI::ExistingFile);
  command.add_option("--tls-ca", source.tls_ca, "Certificates NATS's is checked against")
      ->envname("QUADRILLE_TLS_CA")
      ->check(CLI::ExistingFile);
  command.add_option("--from-sequence", source.first_sequence, "First message of the stream EVT to read")
      ->capture_default_str();
}

bool find_source(traffic::Source& source) {
  if (source.is_set()) return true;
  if (const auto* url = std::getenv("QUADRILLE_NATS_URL"); url != nullptr) source.nats_url = url;
  return source.is_set();
}

void need_source(traffic::Source& source) {
  if (!find_source(source))
    throw CLI::RequiredError("one of --nats-url (or QUADRILLE_NATS_URL), --database-url, --file and --archive");
}

void add_window(CLI::App& command, archive::Window& window, const std::string& what) {
  const auto parse = [](const std::string& option, std::optional<TimePoint>& time) {
    return [option, &time](const std::string& text) {
      time = from_rfc3339(text);
      if (!time) throw CLI::ValidationError(option, "'" + text + "' is not a time in UTC such as 2026-12-01T10:48:11Z");
    };
  };
  command
      .add_option_function<std::string>("--from", parse("--from", window.from),
                                        what + " then or later, RFC 3339 in UTC")
      ->type_name("TIME");
  command.add_option_function<std::string>("--to", parse("--to", window.to), what + " before then")->type_name("TIME");
}

}  // namespace quadrille::tool
