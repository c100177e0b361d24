#include "postgres/session.hpp"

#include "postgres/pqxx_connection.hpp"
#include "postgres/translate.hpp"

namespace quadrille::postgres {
namespace {

std::vector<SqlRow> to_rows(const pqxx::result& result) {
  std::vector<SqlRow> rows;
  rows.reserve(result.size());
  for (const auto& from : result) {
    SqlRow row;
    row.reserve(from.size());
    for (const auto& field : from) {
      if (field.is_null())
        row.emplace_back();
      else
        row.emplace_back(std::string(field.c_str(), field.size()));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

#if PQXX_VERSION_MAJOR >= 7
pqxx::params to_params(std::span<const std::string> parameters) {
  pqxx::params params;
  for (const auto& parameter : parameters) params.append(parameter);
  return params;
}
pqxx::result execute_prepared(pqxx::work& work, const Statement& statement, std::span<const std::string> parameters) {
  return work.exec(pqxx::prepped{statement.name}, to_params(parameters));
}
pqxx::result execute(pqxx::work& work, std::string_view text, std::span<const std::string> parameters) {
  return work.exec(text, to_params(parameters));
}
#else
pqxx::result execute_prepared(pqxx::work& work, const Statement& statement, std::span<const std::string> parameters) {
  return work.exec_prepared(statement.name, pqxx::prepare::make_dynamic_params(parameters.begin(), parameters.end()));
}
pqxx::result execute(pqxx::work& work, std::string_view text, std::span<const std::string> parameters) {
  return work.exec_params(std::string(text), pqxx::prepare::make_dynamic_params(parameters.begin(), parameters.end()));
}
#endif

}  // namespace

std::string micros(TimePoint time) { return std::to_string(time.time_since_epoch().count()); }

struct Session::Work {
  explicit Work(Connection& connection) : transaction(connection.raw) {}
  pqxx::work transaction;
};

Session::Session(Pool& pool) : pool_(pool), connection_(pool.take()) {
  if (begin(Attempt::first)) return;
  // A server that restarted leaves dead connections behind, and nothing has happened in this one: a new one tells
  // whether the server is back.
  connection_ = pool_.take();
  begin(Attempt::last);
}

bool Session::begin(Attempt attempt) {
  try {
    translated("begin a transaction", [&] { work_ = std::make_unique<Work>(*connection_); });
    return true;
  } catch (const Error&) {
    const bool usable = failed();
    if (usable || attempt == Attempt::last) throw;
    return false;
  }
}

Session::~Session() {
  if (connection_) failed();  // rolls back; also after a commit whose connection was given back, this is skipped
}

Rows Session::run(const Statement& statement, std::span<const std::string> parameters) {
  return translated(statement.name, [&] {
    if (connection_->prepared.insert(&statement).second) connection_->raw.prepare(statement.name, statement.text);
    return Rows(to_rows(execute_prepared(work_->transaction, statement, parameters)));
  });
}

Rows Session::run_once(std::string_view text, std::span<const std::string> parameters) {
  return translated("a statement of the service",
                    [&] { return Rows(to_rows(execute(work_->transaction, text, parameters))); });
}

void Session::commit() {
  translated("commit", [&] { work_->transaction.commit(); });
  work_.reset();
  pool_.give_back(std::move(connection_));
}

bool Session::failed() {
  bool usable = false;
  try {
    if (work_) work_->transaction.abort();
    work_.reset();
    usable = connection_->raw.is_open();
  } catch (const std::exception&) {
    usable = false;  // whatever it was, this connection has served
  }
  if (usable) {
    pool_.give_back(std::move(connection_));
  } else {
    work_.reset();
    connection_.reset();
    pool_.lost();
  }
  return usable;
}

}  // namespace quadrille::postgres
