#include "inspect/inspect.hpp"

namespace quadrille::inspect {

const char* const database_settings =
    "fsync,synchronous_commit,full_page_writes,max_slot_wal_keep_size,wal_level,idle_in_transaction_session_timeout";

std::vector<checker::Finding> judge_database(const postgres::ServerFacts& facts) {
  using checker::Severity;
  std::vector<checker::Finding> findings;
  const auto add = [&](Severity severity, const std::string& about, std::string message, std::string hint) {
    findings.push_back({"QDR196", severity, {"database", 0, 0}, std::move(message), std::move(hint), {}, {about}, ""});
  };
  const auto is = [&](const char* name, const char* value) {
    const auto found = facts.settings.find(name);
    return found != facts.settings.end() && found->second == value;
  };
  for (const auto* setting : {"fsync", "full_page_writes"})
    if (is(setting, "off"))
      add(Severity::error, setting, std::string(setting) + " is off: a crash loses or tears what was committed",
          std::string("set ") + setting + " = on");
  if (is("synchronous_commit", "off"))
    add(Severity::error, "synchronous_commit",
        "synchronous_commit is off: the last commits are lost in a crash, after their messages were acknowledged",
        "set synchronous_commit = on, at least for the services' roles");
  if (is("wal_level", "logical") && is("max_slot_wal_keep_size", "-1"))
    add(Severity::warning, "max_slot_wal_keep_size",
        "max_slot_wal_keep_size is -1: a forgotten replication slot fills the disk",
        "set it to a size the disk can spare");
  if (is("idle_in_transaction_session_timeout", "0"))
    add(Severity::note, "idle_in_transaction_session_timeout",
        "idle_in_transaction_session_timeout is 0: one forgotten session holds back every reader by position",
        "set it to a minute");
  if (facts.schema.empty())
    add(Severity::error, "schema", "the database has no schema of the framework, or this role may not see it",
        "run quadrille migrate, and look as a role that is a member of quadrille_service");
  if (facts.superuser)
    add(Severity::warning, "role", "this role is a superuser: nothing it does is refused",
        "let services log in as a role made by quadrille migrate --service-role");
  else if (facts.may_change_events)
    add(Severity::error, "role", "this role may update or delete recorded events",
        "revoke it: events are never changed");
  return findings;
}

}  // namespace quadrille::inspect
