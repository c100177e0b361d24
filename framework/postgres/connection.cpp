#include "postgres/connection.hpp"

#include "postgres/pqxx_connection.hpp"
#include "postgres/translate.hpp"

#include <libpq-fe.h>

#include <map>

namespace quadrille::postgres {
namespace {

std::string quoted(const std::string& value) {
  std::string text = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  return text + "'";
}

/// What the URL says, by keyword.
std::map<std::string, std::string> parse(const std::string& url) {
  char* complaint = nullptr;
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(PQconninfoParse(url.c_str(), &complaint),
                                                                             PQconninfoFree);
  const std::unique_ptr<char, decltype(&PQfreemem)> owned(complaint, PQfreemem);
  // libpq's complaint repeats the text, which may hold a password.
  if (!options)
    throw Error(
        Disposition::stop,
        "setting database_url: not a PostgreSQL URL or list of keywords; such as postgresql://user@host/database");
  std::map<std::string, std::string> keywords;
  for (const auto* option = options.get(); option->keyword != nullptr; ++option)
    if (option->val != nullptr) keywords[option->keyword] = option->val;
  return keywords;
}

}  // namespace

std::string connection_string(const PostgresSettings& settings) {
  auto keywords = parse(settings.url);
  const std::map<std::string, std::string> defaults{
      {"application_name", settings.application_name},
      {"connect_timeout", "5"},
      {"keepalives_idle", "10"},
      {"keepalives_interval", "5"},
      {"keepalives_count", "3"},
      {"tcp_user_timeout", "15000"},  // a frozen peer must not hang a lane
      {"client_encoding", "UTF8"},
      {"options", "-c statement_timeout=" + std::to_string(settings.statement_timeout.count()) +
                      " -c idle_in_transaction_session_timeout=60000 -c bytea_output=hex -c TimeZone=UTC" +
                      (settings.search_path.empty() ? "" : " -c search_path=" + settings.search_path) +
                      (settings.durable_commits ? "" : " -c synchronous_commit=off")}};
  keywords.insert(defaults.begin(), defaults.end());
  std::string text;
  for (const auto& [keyword, value] : keywords) text += keyword + "=" + quoted(value) + " ";
  return text;
}

void CloseConnection::operator()(Connection* connection) const { delete connection; }

ConnectionPtr open_connection(const PostgresSettings& settings) {
  const auto keywords = connection_string(settings);
  try {
    return ConnectionPtr(new Connection(keywords));
  } catch (const std::exception& error) {
    // Without a connection there is no SQLSTATE: tell "refuses us" from "does not answer" by the server's words.
    std::string text = error.what();
    text = text.substr(0, text.find_last_not_of('\n') + 1);
    for (const auto* refusal :
         {"authentication failed", "no pg_hba.conf entry", "does not exist", "no password supplied", "role \""})
      if (text.find(refusal) != std::string::npos)
        throw Error(Disposition::stop, "PostgreSQL refuses the connection of setting database_url: " + text);
    throw Error(Disposition::retry, text);
  }
}

}  // namespace quadrille::postgres
