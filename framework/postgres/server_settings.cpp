#include "postgres/server_settings.hpp"

#include "postgres/session.hpp"

namespace quadrille::postgres {
namespace {

constexpr Statement read_settings{"read_settings",
                                  "SELECT name, pg_catalog.current_setting(name) FROM pg_catalog.pg_settings WHERE "
                                  "name = ANY(string_to_array($1, ','))"};
constexpr Statement read_role{"read_role", "SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user"};
constexpr Statement find_schema{
    "find_schema",
    "SELECT to_regclass('quadrille.events') IS NOT NULL, to_regclass('quadrille.migrations') IS "
    "NOT NULL AND has_table_privilege(to_regclass('quadrille.migrations'), 'SELECT')"};
constexpr Statement newest_migration{
    "newest_migration", "SELECT coalesce(max(name), '') FROM quadrille.migrations WHERE name LIKE 'framework/%'"};
constexpr Statement event_rights{"event_rights",
                                 "SELECT has_table_privilege('quadrille.events', 'UPDATE') OR "
                                 "has_table_privilege('quadrille.events', 'DELETE')"};

}  // namespace

ServerFacts look(const PostgresSettings& settings, const std::string& names) {
  Pool pool(settings);
  Session session(pool);
  ServerFacts facts;
  const auto rows = session.run(read_settings, {names});
  for (std::size_t i = 0; i < rows.size(); ++i) facts.settings[rows.text(i, 0)] = rows.text(i, 1);
  facts.superuser = session.run(read_role).truth(0, 0);
  const auto schema = session.run(find_schema);
  if (schema.truth(0, 1)) facts.schema = session.run(newest_migration).text(0, 0);
  if (schema.truth(0, 0)) facts.may_change_events = session.run(event_rights).truth(0, 0);
  return facts;
}

}  // namespace quadrille::postgres
