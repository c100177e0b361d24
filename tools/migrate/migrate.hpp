#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// Forward-only SQL migrations of one participant's database.
namespace quadrille::migrate {

struct Migration {
  std::string name;  ///< `framework/0001_events.sql`: never changes once it was applied
  std::filesystem::path file;
};

/// Where the framework's migrations are when nobody says otherwise.
[[nodiscard]] std::filesystem::path default_folder();

/// `framework` (the default one's where this folder has none) and, where there is such a folder, the participant's own,
/// in the order in which they are applied. Throws Error(stop) when there are no framework migrations.
[[nodiscard]] std::vector<Migration> find(const std::filesystem::path& folder, const std::string& participant);

/// Applies those that are missing, each in a transaction of its own with its record, under an advisory lock: several
/// may run this at once. Returns the names of what was (or, dry, would be) applied. Throws Error(stop) when an applied
/// file has changed or is gone, and when a statement fails (its migration is then rolled back).
std::vector<std::string> apply(const std::string& database_url, const std::vector<Migration>& migrations, bool dry_run);

/// Makes the login role of a service, or sets its password, and makes it a member of quadrille_service.
void grant_service_role(const std::string& database_url, const std::string& role, const std::string& password);

}  // namespace quadrille::migrate
