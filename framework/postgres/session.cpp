#include "postgres/session.hpp"

#include "quadrille/error.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace quadrille::postgres {
namespace {

constexpr Statement begin_transaction{"begin a transaction", "BEGIN", Statement::Effect::reads};
constexpr Statement commit_transaction{"commit", "COMMIT"};
const Command roll_back_transaction{.text = "ROLLBACK"};

/// Of a statement of the service nobody knows.
bool locks(const Command& command) {
  return command.statement == nullptr || command.statement->effect == Statement::Effect::locks;
}

}  // namespace

std::string micros(TimePoint time) { return std::to_string(time.time_since_epoch().count()); }

Session::~Session() {
  if (connection_) roll_back();
}

Rows Session::run(const Statement& statement, std::vector<std::string> parameters) {
  return run(Command{.statement = &statement, .parameters = std::move(parameters)});
}

Rows Session::run(Command command) {
  std::vector<Command> commands;
  commands.push_back(std::move(command));
  return std::move(run_all(std::move(commands)).front());
}

Rows Session::run_once(std::string_view text, std::span<const std::string> parameters) {
  return run(Command{.text = std::string(text), .parameters = {parameters.begin(), parameters.end()}});
}

std::vector<Rows> Session::run_all(std::vector<Command> commands) {
  const auto asked = commands.size();
  auto answers = exchange(std::move(commands));
  answers.erase(answers.begin(), std::prev(answers.end(), static_cast<std::ptrdiff_t>(asked)));
  return answers;
}

void Session::later(const Statement& statement, std::vector<std::string> parameters) {
  waiting_.push_back({.statement = &statement, .parameters = std::move(parameters)});
}

void Session::commit() {
  if (begun_ || !waiting_.empty()) static_cast<void>(commit_with({}));
  pool_.give_back(std::move(connection_));
}

Rows Session::run_and_commit(Command command) {
  std::vector<Command> commands;
  commands.push_back(std::move(command));
  auto answers = commit_with(std::move(commands));
  pool_.give_back(std::move(connection_));
  return std::move(answers[answers.size() - 2]);
}

std::vector<Rows> Session::commit_with(std::vector<Command> commands) {
  commands.push_back({.statement = &commit_transaction});
  auto answers = exchange(std::move(commands));
  // The server ends a transaction in which something has failed without complaint, and undoes it.
  if (answers.back().tag() != "COMMIT")
    throw Error(Disposition::retry, "PostgreSQL, commit: undone, because a statement before had failed");
  return answers;
}

std::vector<Rows> Session::exchange(std::vector<Command> commands) {
  std::vector<Command> all;
  if (!begun_) all.push_back({.statement = &begin_transaction});
  std::ranges::move(waiting_, std::back_inserter(all));
  waiting_.clear();
  std::ranges::move(commands, std::back_inserter(all));
  locked_ = locked_ || std::ranges::any_of(all, locks);
  try {
    auto answers = connection_->exchange(all);
    begun_ = true;
    return answers;
  } catch (const Error&) {
    const bool may_have_committed = all.back().statement == &commit_transaction;
    if (begun_ || connection_->usable() || may_have_committed) {
      begun_ = true;
      throw;
    }
  }
  // A server that restarted leaves dead connections behind, and nothing of this transaction has stayed: a new one tells
  // whether the server is back.
  connection_.reset();
  pool_.lost();
  connection_ = pool_.take();
  begun_ = true;
  return connection_->exchange(all);
}

void Session::roll_back() {
  try {
    if (begun_ && connection_->usable()) {
      // Where nobody waits for its end, neither does this.
      if (locked_)
        static_cast<void>(connection_->exchange(std::span(&roll_back_transaction, 1)));
      else
        connection_->send_off(roll_back_transaction);
    }
  } catch (const std::exception&) {
    connection_.reset();  // whatever it was, this connection has served
  }
  if (connection_ && connection_->usable()) {
    pool_.give_back(std::move(connection_));
  } else {
    connection_.reset();
    pool_.lost();
  }
}

}  // namespace quadrille::postgres
