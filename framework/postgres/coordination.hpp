#pragma once

#include "core/store.hpp"
#include "postgres/session.hpp"

#include <cstdint>

/// The small facets of a transaction; one file each.
namespace quadrille::postgres {

class PostgresDeadlines final : public Deadlines {
 public:
  explicit PostgresDeadlines(Session& session) : session_(session) {}
  void arm(std::span<const Deadline> deadlines) override;
  bool put_off(const Deadline& deadline) override;
  [[nodiscard]] std::vector<Deadline> take_due(TimePoint now, std::size_t limit) override;
  void remove(std::string_view id) override;
  [[nodiscard]] std::vector<Deadline> armed(std::string_view saga_id, std::size_t limit) override;
  std::vector<Deadline> hurry(std::string_view saga_id, std::string_view step, TimePoint now) override;
  [[nodiscard]] Backlog backlog(std::uint64_t most) override;

 private:
  Session& session_;
};

class PostgresQuantities final : public Quantities {
 public:
  explicit PostgresQuantities(Session& session) : session_(session) {}
  [[nodiscard]] std::optional<Quantity> find(std::string_view resource) override;
  [[nodiscard]] bool add(std::string_view resource, std::int64_t delta) override;
  [[nodiscard]] bool hold(std::string_view resource, std::string_view holder, std::int64_t amount,
                          TimePoint expires_at) override;
  std::int64_t release(std::string_view resource, std::string_view holder) override;
  std::int64_t settle(std::string_view resource, std::string_view holder) override;
  [[nodiscard]] std::vector<Hold> expired(TimePoint now, std::size_t limit) override;

 private:
  Session& session_;
};

class PostgresLeases final : public Leases {
 public:
  explicit PostgresLeases(Session& session) : session_(session) {}
  [[nodiscard]] std::vector<Lease> acquire(std::span<const std::string> names, std::string_view owner,
                                           std::chrono::milliseconds time_to_live) override;
  [[nodiscard]] std::vector<Lease> acquire_some(std::span<const std::string> names, std::string_view owner,
                                                std::chrono::milliseconds time_to_live, std::size_t most) override;
  void give_back(std::span<const std::string> names, std::string_view owner) override;
  [[nodiscard]] std::size_t held(std::string_view prefix) override;
  [[nodiscard]] bool verify(std::span<const Lease> leases, std::string_view owner) override;
  void release(std::string_view owner) override;

 private:
  Session& session_;
};

class PostgresIdempotencyKeys final : public IdempotencyKeys {
 public:
  explicit PostgresIdempotencyKeys(Session& session) : session_(session) {}
  [[nodiscard]] std::optional<Entry> claim(std::string_view scope, std::string_view key, std::string_view request_hash,
                                           TimePoint now, TimePoint expires_at) override;
  void complete(std::string_view scope, std::string_view key, int status, std::string_view response) override;

 private:
  Session& session_;
};

class PostgresAuditTrail final : public AuditTrail {
 public:
  explicit PostgresAuditTrail(Session& session) : session_(session) {}
  void record(const Entry& entry) override;
  [[nodiscard]] std::vector<Entry> newest(std::size_t limit) override;

 private:
  Session& session_;
};

}  // namespace quadrille::postgres
