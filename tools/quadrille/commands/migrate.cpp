#include "migrate/migrate.hpp"

#include "migrate/log_tailing.hpp"
#include "quadrille/commands/commands.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>

namespace quadrille::tool {
namespace {

struct Options {
  std::string database_url;
  std::filesystem::path folder = migrate::default_folder();
  std::string participant;
  bool dry_run = false;
  std::string service_role;
  std::filesystem::path password_file;
  bool log_tailing = false;
  bool drop_log_tailing = false;
};

std::string read_password(const std::filesystem::path& file) {
  std::ifstream input(file);
  std::string password;
  if (!std::getline(input, password) || password.empty())
    throw std::runtime_error("--service-password-file: nothing in the first line of " + file.string());
  return password;
}

void run(const Options& options) {
  const auto names =
      migrate::apply(options.database_url, migrate::find(options.folder, options.participant), options.dry_run);
  for (const auto& name : names) std::cout << (options.dry_run ? "would apply " : "applied ") << name << "\n";
  if (names.empty()) std::cout << "up to date\n";
  if (options.dry_run) return;
  if (!options.password_file.empty()) {
    migrate::grant_service_role(options.database_url, options.service_role, read_password(options.password_file));
    std::cout << "role " << options.service_role << " may log in and is a member of quadrille_service\n";
  }
  if (options.log_tailing)
    for (const auto& done : migrate::prepare_log_tailing(options.database_url, options.service_role))
      std::cout << done << "\n";
  if (options.drop_log_tailing)
    for (const auto& done : migrate::drop_log_tailing(options.database_url)) std::cout << done << "\n";
}

}  // namespace

void add_migrate(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "migrate",
      "Brings one participant's database to the newest schema: framework/ and the participant's own migrations, "
      "forward only,\n"
      "each in a transaction of its own, under a lock, with checksums. Run it as the database's owner, before the "
      "programs.\n\n"
      "  QUADRILLE_DATABASE_URL=postgresql://owner@host/payment quadrille migrate --participant payment\n"
      "  QUADRILLE_DATABASE_URL=postgresql://postgres@host/payment quadrille migrate --log-tailing --service-role "
      "payment");
  command
      ->add_option("--database-url", options->database_url,
                   "The database, as libpq takes it; give passwords by environment: other users see flags")
      ->envname("QUADRILLE_DATABASE_URL")
      ->required();
  command
      ->add_option("--migrations", options->folder,
                   "Folder with one folder a participant; framework/ where it differs from the installed one")
      ->envname("QUADRILLE_MIGRATIONS")
      ->capture_default_str()
      ->check(CLI::ExistingDirectory);
  command->add_option("--participant", options->participant, "Applies the migrations of this participant too");
  command->add_flag("--dry-run", options->dry_run, "Says what would be applied");
  auto* role = command->add_option("--service-role", options->service_role,
                                   "Also makes this login role of least privilege for the service");
  command->add_option("--service-password-file", options->password_file, "File with its password in the first line")
      ->check(CLI::ExistingFile)
      ->needs(role);
  auto* tailing = command->add_flag("--log-tailing", options->log_tailing,
                                    "Also makes what a relay that tails the log needs: publication and replication "
                                    "slot and, with --service-role, that "
                                    "role's right to replicate. Then start the service with --relay log-tailing");
  command
      ->add_flag("--drop-log-tailing", options->drop_log_tailing,
                 "Removes publication and slot. Without a relay that reads it a slot keeps the server's log: let the "
                 "service poll first, then drop")
      ->excludes(tailing);
  command->callback([options] {
    if (!options->service_role.empty() && options->password_file.empty() && !options->log_tailing)
      throw CLI::ValidationError("--service-role", "needs --service-password-file");
    run(*options);
  });
}

}  // namespace quadrille::tool
