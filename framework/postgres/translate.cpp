#include "postgres/translate.hpp"

#include <pqxx/pqxx>

#include <string_view>

namespace quadrille::postgres {
namespace {

/// Only the first line: the rest of libpq's text is the statement and its position.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// libpqxx 6 gives most of its named classes no SQLSTATE: the class says it.
std::string sqlstate_of(const pqxx::sql_error& error) {
  if (!error.sqlstate().empty()) return error.sqlstate();
  const auto is = [&](auto* type) { return dynamic_cast<decltype(type)>(&error) != nullptr; };
  if (is(static_cast<const pqxx::insufficient_privilege*>(nullptr))) return "42501";
  if (is(static_cast<const pqxx::undefined_table*>(nullptr))) return "42P01";
  if (is(static_cast<const pqxx::undefined_function*>(nullptr))) return "42883";
  if (is(static_cast<const pqxx::syntax_error*>(nullptr))) return "42601";
  if (is(static_cast<const pqxx::feature_not_supported*>(nullptr))) return "0A000";
  if (is(static_cast<const pqxx::data_exception*>(nullptr))) return "22000";
  if (is(static_cast<const pqxx::integrity_constraint_violation*>(nullptr))) return "23000";
  if (is(static_cast<const pqxx::plpgsql_error*>(nullptr))) return "P0000";
  return {};  // resources and the like: again later
}

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

void throw_translated(const char* doing) {
  const std::string prefix = std::string("PostgreSQL, ") + doing + ": ";
  try {
    throw;
  } catch (const pqxx::in_doubt_error& error) {
    throw Error(Disposition::retry, prefix + "the connection was lost during commit: " + first_line(error.what()));
  } catch (const pqxx::broken_connection& error) {
    throw Error(Disposition::retry, prefix + first_line(error.what()));
  } catch (const pqxx::sql_error& error) {
    const auto sqlstate = sqlstate_of(error);
    throw Error(disposition_of(sqlstate), prefix + first_line(error.what()) + advice(sqlstate),
                reason_class_of(sqlstate));
  } catch (const std::exception& error) {  // pqxx::failure and the like: the connection is in no known state
    throw Error(Disposition::retry, prefix + first_line(error.what()));
  }
}

}  // namespace quadrille::postgres
