#pragma once

#include "core/clock.hpp"
#include "postgres/pool.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::postgres {

/// A time as parameter of `at(...)`: microseconds since 1970.
[[nodiscard]] std::string micros(TimePoint time);

/// One open database transaction: the only place that runs statements. It begins with its first statement, in the same
/// way to the server. Rolls back unless committed; gives its connection back to the pool unless it is broken. Used by
/// one thread.
class Session {
 public:
  explicit Session(Pool& pool) : pool_(pool), connection_(pool.take()) {}
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Rows run(const Statement& statement, std::vector<std::string> parameters = {});
  Rows run(Command command);
  /// A statement of the service's own; not prepared.
  Rows run_once(std::string_view text, std::span<const std::string> parameters);
  /// All in one way to the server and back; the answers in their order.
  std::vector<Rows> run_all(std::vector<Command> commands);
  /// One whose answer nobody needs: carried out with whatever comes next, the commit at the latest, which then throws
  /// what it would have thrown.
  void later(const Statement& statement, std::vector<std::string> parameters);
  void commit();
  /// A statement and the commit in one way there and back. Nothing may depend on its answer.
  Rows run_and_commit(Command command);

 private:
  std::vector<Rows> commit_with(std::vector<Command> commands);
  std::vector<Rows> exchange(std::vector<Command> commands);
  void roll_back();

  Pool& pool_;
  ConnectionPtr connection_;
  std::vector<Command> waiting_;
  bool begun_ = false;   ///< the server has answered
  bool locked_ = false;  ///< somebody may have to wait until this is over
};

}  // namespace quadrille::postgres
