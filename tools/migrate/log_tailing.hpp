#pragma once

#include <string>
#include <vector>

/// What a relay that tails the log needs in one participant's database: a publication and a replication slot, and the
/// right to replicate for the service's role.
namespace quadrille::migrate {

/// Makes what is missing; run it after the migrations. `role` may be empty. Returns what it did, a sentence each.
/// Throws Error(stop) that says what the server or the caller's role lacks.
std::vector<std::string> prepare_log_tailing(const std::string& database_url, const std::string& role);

/// Removes slot and publication, so that the server keeps no log for them. The role keeps its right. Throws Error(stop)
/// while a relay still reads the slot.
std::vector<std::string> drop_log_tailing(const std::string& database_url);

}  // namespace quadrille::migrate
