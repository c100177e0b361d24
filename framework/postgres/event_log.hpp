#pragma once

#include "core/store.hpp"
#include "postgres/session.hpp"

#include <cstdint>

namespace quadrille::postgres {

class PostgresEventLog final : public EventLog {
 public:
  explicit PostgresEventLog(Session& session) : session_(session) {}
  [[nodiscard]] std::map<StreamName, std::vector<Event>> load(std::span<const StreamName> streams) override;
  void append(std::span<const Event> events) override;
  void append_last(std::span<const Event> events) override;
  [[nodiscard]] std::vector<Place> find(std::span<const std::string> ids) override;
  [[nodiscard]] std::vector<std::pair<Position, Event>> read_all(Position after, std::size_t limit) override;

 private:
  Session& session_;
};

class PostgresOutbox final : public Outbox {
 public:
  explicit PostgresOutbox(Session& session) : session_(session) {}
  [[nodiscard]] std::vector<Entry> oldest(std::size_t limit) override;
  [[nodiscard]] std::vector<std::uint64_t> remove(std::span<const std::uint64_t> positions) override;
  [[nodiscard]] std::vector<std::uint64_t> gone(std::span<const std::uint64_t> positions) override;
  [[nodiscard]] Backlog backlog(std::uint64_t most) override;

 private:
  Session& session_;
};

/// Store::remove_published.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> remove_published(Pool& pool,
                                                                         std::span<const std::uint64_t> positions,
                                                                         const Lease& lease, std::string_view owner);

}  // namespace quadrille::postgres
