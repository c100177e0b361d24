#include "postgres/postgres_store.hpp"

#include "core/backoff.hpp"
#include "core/redact.hpp"
#include "core/time_text.hpp"
#include "postgres/batch_start.hpp"
#include "postgres/bell.hpp"
#include "postgres/coordination.hpp"
#include "postgres/event_log.hpp"
#include "postgres/inbox.hpp"
#include "postgres/pool.hpp"
#include "postgres/session.hpp"
#include "quadrille/error.hpp"

#include <cstdint>
#include <thread>
#include <utility>

namespace quadrille::postgres {
namespace {

/// The newest migration of framework/ this program relies on.
constexpr const char* needed_migration = "framework/0007_append.sql";

constexpr Statement find_migration{"check the schema", "SELECT count(*) FROM quadrille.migrations WHERE name = $1"};
constexpr Statement maintain_inbox{"maintain the inbox", "SELECT quadrille.maintain_inbox($1::integer)"};
constexpr Statement forget_keys{"forget expired idempotency keys",
                                "DELETE FROM quadrille.idempotency_keys WHERE expires_at <= clock_timestamp()"};

constexpr Statement forget_instances{"forget instances that are gone",
                                     "DELETE FROM quadrille.leases WHERE starts_with(name, 'instance/') AND expires_at "
                                     "< clock_timestamp() - interval '1 hour'"};

class PostgresTransaction final : public Transaction {
 public:
  explicit PostgresTransaction(Pool& pool) : session_(pool) {}
  EventLog& events() override { return events_; }
  Outbox& outbox() override { return outbox_; }
  Inbox& inbox() override { return inbox_; }
  Deadlines& deadlines() override { return deadlines_; }
  Quantities& quantities() override { return quantities_; }
  Leases& leases() override { return leases_; }
  IdempotencyKeys& idempotency() override { return idempotency_; }
  AuditTrail& audit() override { return audit_; }
  std::vector<SqlRow> sql(std::string_view statement, std::span<const std::string> parameters) override {
    try {
      return session_.run_once(statement, parameters).to_sql_rows();
    } catch (const Error& error) {
      // A wrong statement is the fault of its step, not of the whole set-up: the message waits, the others go on.
      if (error.disposition() != Disposition::stop) throw;
      throw Error(Disposition::retry, error.what(), error.reason_class());
    }
  }
  [[nodiscard]] BatchStart start_batch(const BatchStart::Question& question) override {
    return postgres::start_batch(session_, question);
  }
  void commit() override { session_.commit(); }

 private:
  Session session_;
  PostgresEventLog events_{session_};
  PostgresOutbox outbox_{session_};
  PostgresInbox inbox_{session_};
  PostgresDeadlines deadlines_{session_};
  PostgresQuantities quantities_{session_};
  PostgresLeases leases_{session_};
  PostgresIdempotencyKeys idempotency_{session_};
  PostgresAuditTrail audit_{session_};
};

class PostgresStore final : public Store {
 public:
  explicit PostgresStore(const PostgresSettings& settings)
      : inbox_days_(settings.inbox_days), pool_(settings), bell_(connection_string(settings)) {}

  [[nodiscard]] std::unique_ptr<Transaction> begin() override { return std::make_unique<PostgresTransaction>(pool_); }
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> remove_published(std::span<const std::uint64_t> positions,
                                                                           const Lease& lease,
                                                                           std::string_view owner) override {
    return postgres::remove_published(pool_, positions, lease, owner);
  }
  void ring() override { bell_.ring(); }
  bool await_ring(std::chrono::milliseconds longest) override { return bell_.await(longest); }
  void maintain() override {
    Session session(pool_);
    session.run(maintain_inbox, {std::to_string(inbox_days_)});
    session.run(forget_keys);
    session.run(forget_instances);
    session.commit();
  }
  void check_schema() {
    Session session(pool_);
    if (session.run(find_migration, {std::string(needed_migration)}).count(0, 0) == 0)
      throw Error(Disposition::stop, std::string("the database lacks migration ") + needed_migration +
                                         ", which this program needs: run `quadrille migrate` on it first");
  }

 private:
  const int inbox_days_;
  Pool pool_;
  Bell bell_;
};

}  // namespace

std::unique_ptr<Store> connect(const PostgresSettings& settings) {
  const auto end = std::chrono::steady_clock::now() + settings.connect_timeout;
  const Backoff backoff{std::chrono::milliseconds(100), std::chrono::seconds(2)};
  auto store = std::make_unique<PostgresStore>(settings);
  for (std::uint32_t attempt = 1;; ++attempt) {
    try {
      store->check_schema();
      return store;
    } catch (const Error& error) {
      if (error.disposition() == Disposition::stop) throw;
      if (std::chrono::steady_clock::now() >= end)
        throw Error(Disposition::stop, "cannot reach PostgreSQL at " + without_password(settings.url) +
                                           " (setting database_url) within " + duration_text(settings.connect_timeout) +
                                           ": start it or correct the setting; " + error.what());
    }
    std::this_thread::sleep_for(backoff.delay(attempt));
  }
}

}  // namespace quadrille::postgres
