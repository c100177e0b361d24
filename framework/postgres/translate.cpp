#include "postgres/translate.hpp"

#include <string_view>

namespace quadrille::postgres {
namespace {

std::string advice(const std::string& sqlstate) {
  if (sqlstate == "42P01" || sqlstate == "3F000" || sqlstate == "42883")
    return "; the schema is missing or old: run `quadrille migrate` on this database";
  if (sqlstate == "42501")
    return "; the role lacks a right: run `quadrille migrate --service-role ...` on this database";
  if (sqlstate.starts_with("28")) return "; correct user and password in the setting database_url";
  if (sqlstate == "3D000") return "; correct the database's name in the setting database_url, or create it";
  return "";
}

}  // namespace

Disposition disposition_of(const std::string& sqlstate) {
  if (sqlstate.empty()) return Disposition::retry;
  const std::string_view group = std::string_view(sqlstate).substr(0, 2);
  // Missing features and objects, authorization, an unknown database and syntax: a wrong set-up, which no waiting
  // mends.
  for (const auto* wrong : {"0A", "28", "3D", "3F", "42"})
    if (group == wrong) return Disposition::stop;
  // Cardinality, data, constraints, WITH CHECK OPTION and limits: this content will never do.
  for (const auto* never : {"21", "22", "23", "44", "54"})
    if (group == never) return Disposition::park;
  // Everything else may go well later: lost connections, serialization and deadlock, resources, time-outs, what a
  // trigger, function or foreign table raises, internal errors, and what later versions of the server may add.
  return Disposition::retry;
}

ReasonClass reason_class_of(const std::string& sqlstate) {
  // Insufficient resources, and what was cancelled because it took too long.
  if (sqlstate.starts_with("53") || sqlstate == "57014") return ReasonClass::overload;
  return disposition_of(sqlstate) == Disposition::stop ? ReasonClass::configuration : ReasonClass::technical;
}

Error failure_of(const char* doing, const std::string& sqlstate, const std::string& text) {
  return {disposition_of(sqlstate),
          std::string("PostgreSQL, ") + doing + ": " + text.substr(0, text.find('\n')) + advice(sqlstate),
          reason_class_of(sqlstate)};
}

}  // namespace quadrille::postgres
