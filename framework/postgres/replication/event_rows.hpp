#pragma once

#include "core/store.hpp"
#include "postgres/replication/pgoutput.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace quadrille::postgres {

/// Turns inserted rows of quadrille.events, as the log has them, into entries to publish. Of one connection: the server
/// describes the table to each anew.
class EventRows {
 public:
  static constexpr std::size_t column_count = 15;

  /// Throws Error(retry) where the table lacks a column.
  void describe(const pgoutput::Relation& relation);
  /// Empty for rows of other tables. Throws Error(retry) for one that cannot be read.
  [[nodiscard]] std::optional<Outbox::Entry> entry(const pgoutput::Insert& insert) const;

 private:
  std::optional<std::uint32_t> events_;
  std::array<std::size_t, column_count> places_{};
};

}  // namespace quadrille::postgres
