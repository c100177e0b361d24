#pragma once

#include "postgres/postgres_store.hpp"
#include "postgres/rows.hpp"
#include "quadrille/error.hpp"

#include <exception>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

struct pg_conn;

namespace quadrille::postgres {

/// A statement of ours, of static storage: prepared once a connection under its name.
struct Statement {
  /// What it does to others.
  enum class Effect {
    locks,  ///< writes, or takes locks that they wait for
    reads   ///< reads a snapshot: nobody has to wait until this transaction is over
  };

  const char* name;
  const char* text;
  Effect effect = Effect::locks;
};

/// Something to ask the server: a statement of ours, or text that is not prepared.
struct Command {
  const Statement* statement = nullptr;
  std::string text{};
  std::vector<std::string> parameters{};

  /// What it does, for messages.
  [[nodiscard]] const char* doing() const;
};

/// One connection, in libpq's pipeline mode: whatever is asked together takes one way to the server and back. Used by
/// one thread at a time.
class Connection {
 public:
  /// Throws Error: retry when the server does not answer, stop when it refuses us.
  explicit Connection(const PostgresSettings& settings);

  /// Has all carried out in their order and answers each. Where one fails, none behind it is carried out, and its Error
  /// is thrown once the server has answered.
  [[nodiscard]] std::vector<Rows> exchange(std::span<const Command> commands);
  /// Has one carried out after everything before, and leaves its answer, whatever it is, to the next exchange.
  void send_off(const Command& command);
  /// False once the connection has turned out to be lost.
  [[nodiscard]] bool usable() const;

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };
  struct Answer {
    Rows rows;
    bool carried_out = false;
    std::exception_ptr failure{};  ///< empty also where something before has failed
  };
  /// True when it asks for its preparation, too: two answers.
  bool send(const Command& command);
  void end_of_sending(const char* doing);
  [[nodiscard]] Answer receive(const char* doing);
  /// The answer to the end of sending.
  void agree(const char* doing);
  /// Whatever comes from this connection now, nobody knows to what it belongs.
  [[nodiscard]] Error lost(const char* doing);

  std::unique_ptr<pg_conn, Finish> handle_;
  std::set<const Statement*> prepared_;
  std::size_t sent_off_ = 0;  ///< answers that nobody has read yet
  bool out_of_step_ = false;
};
using ConnectionPtr = std::unique_ptr<Connection>;

/// The settings' URL as libpq keywords with what a long-running service needs added: time-outs, keepalives, name.
/// Throws Error(stop) when it is malformed.
[[nodiscard]] std::string connection_string(const PostgresSettings& settings);

}  // namespace quadrille::postgres
