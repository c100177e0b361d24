#include "postgres/connection.hpp"

#include "postgres/translate.hpp"

#include <libpq-fe.h>

#include <map>
#include <utility>

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

const char* Command::doing() const { return statement == nullptr ? "a statement of the service" : statement->name; }

void Connection::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }

Connection::Connection(const PostgresSettings& settings) : handle_(PQconnectdb(connection_string(settings).c_str())) {
  // A function of the service may say something: libpq would write it between the lines of the log.
  PQsetNoticeReceiver(
      handle_.get(), [](void*, const PGresult*) {}, nullptr);
  if (PQstatus(handle_.get()) == CONNECTION_OK && PQenterPipelineMode(handle_.get()) == 1) return;
  // Without a connection there is no SQLSTATE: tell "refuses us" from "does not answer" by the server's words.
  std::string text = PQerrorMessage(handle_.get());
  text = text.substr(0, text.find_last_not_of('\n') + 1);
  for (const auto* refusal :
       {"authentication failed", "no pg_hba.conf entry", "does not exist", "no password supplied", "role \""})
    if (text.find(refusal) != std::string::npos)
      throw Error(Disposition::stop, "PostgreSQL refuses the connection of setting database_url: " + text);
  throw Error(Disposition::retry, text);
}

bool Connection::usable() const { return !out_of_step_ && PQstatus(handle_.get()) == CONNECTION_OK; }

std::vector<Rows> Connection::exchange(std::span<const Command> commands) {
  std::vector<bool> prepares;
  for (const auto& command : commands) prepares.push_back(send(command));
  const auto* last = commands.back().doing();
  end_of_sending(last);
  for (; sent_off_ > 0; --sent_off_) {
    static_cast<void>(receive(last));
    agree(last);
  }
  std::vector<Rows> answers;
  std::exception_ptr failure;
  const auto take = [&](const Command& command) {
    auto answer = receive(command.doing());
    const bool carried_out = answer.carried_out;
    if (!failure && answer.failure) failure = answer.failure;
    if (carried_out) answers.push_back(std::move(answer.rows));
    return carried_out;
  };
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (prepares[i]) {
      // Where it was not carried out the server does not know the statement, and what was to use it fails too.
      if (take(commands[i]))
        answers.pop_back();
      else
        prepared_.erase(commands[i].statement);
    }
    take(commands[i]);
  }
  agree(last);
  if (failure) std::rethrow_exception(failure);
  return answers;
}

void Connection::send_off(const Command& command) {
  send(command);
  end_of_sending(command.doing());
  ++sent_off_;
}

bool Connection::send(const Command& command) {
  std::vector<const char*> values;
  for (const auto& parameter : command.parameters) values.push_back(parameter.c_str());
  const auto count = static_cast<int>(values.size());
  if (command.statement == nullptr) {
    if (PQsendQueryParams(handle_.get(), command.text.c_str(), count, nullptr, values.data(), nullptr, nullptr, 0) != 1)
      throw lost(command.doing());
    return false;
  }
  const auto& statement = *command.statement;
  const bool prepares = prepared_.insert(&statement).second;
  if (prepares && PQsendPrepare(handle_.get(), statement.name, statement.text, 0, nullptr) != 1)
    throw lost(statement.name);
  if (PQsendQueryPrepared(handle_.get(), statement.name, count, values.data(), nullptr, nullptr, 0) != 1)
    throw lost(statement.name);
  return prepares;
}

void Connection::end_of_sending(const char* doing) {
  if (PQpipelineSync(handle_.get()) != 1) throw lost(doing);
}

Connection::Answer Connection::receive(const char* doing) {
  Answer answer{Rows(PQgetResult(handle_.get()))};
  if (answer.rows.missing() || !usable()) throw lost(doing);
  const Rows end(PQgetResult(handle_.get()));
  if (!end.missing() || !usable()) throw lost(doing);
  answer.failure = answer.rows.failure(doing);
  answer.carried_out = answer.rows.succeeded();
  return answer;
}

void Connection::agree(const char* doing) {
  const Rows point(PQgetResult(handle_.get()));
  if (!point.agreed()) throw lost(doing);
}

Error Connection::lost(const char* doing) {
  out_of_step_ = true;
  return failure_of(doing, "", PQerrorMessage(handle_.get()));
}

}  // namespace quadrille::postgres
