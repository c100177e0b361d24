#pragma once

#include "postgres/replication/bytes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The messages of PostgreSQL's logical decoding plugin pgoutput, protocol version 1, as far as a publication of
/// inserts sends them (PostgreSQL's manual, "Logical Replication Message Formats").
namespace quadrille::postgres::pgoutput {

struct Begin {
  Lsn commit = 0;  ///< where the transaction's commit stands in the log
  std::uint32_t transaction = 0;
};
struct Commit {
  Lsn commit = 0;
  Lsn end = 0;  ///< behind the commit: what is to be confirmed
};
/// Describes a table before its first row, and again after each connection and each change of the table.
struct Relation {
  std::uint32_t id = 0;
  std::string schema;
  std::string name;
  std::vector<std::string> columns;
};
struct Insert {
  std::uint32_t relation = 0;
  std::vector<std::optional<std::string_view>> values;  ///< as text, within the message's bytes; absent for NULL
};
struct Type {};
struct Origin {};
struct Truncate {};

using Message = std::variant<Begin, Commit, Relation, Insert, Type, Origin, Truncate>;

/// Throws Error(retry) for bytes that are no such message. Views in the answer are into `bytes`.
[[nodiscard]] Message parse(std::string_view bytes);

}  // namespace quadrille::postgres::pgoutput
