#pragma once

#include "core/envelope.hpp"
#include "core/uuid.hpp"
#include "embedded/probe.hpp"
#include "migrate/log_tailing.hpp"
#include "postgres/postgres_store.hpp"
#include "postgres/replication/tailing_source.hpp"
#include "runtime/polling_source.hpp"
#include "runtime/relay.hpp"
#include "support/scripted_broker.hpp"
#include "support/temporary_database.hpp"

#include <gtest/gtest.h>
#include <pqxx/pqxx>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace quadrille {

enum class RelayUnderTest { polling, log_tailing };
inline void PrintTo(RelayUnderTest kind, std::ostream* out) {
  *out << (kind == RelayUnderTest::polling ? "polling" : "log_tailing");
}

/// Relays over a real PostgreSQL, with a broker that a test scripts.
class RelayBench : public ::testing::Test, public runtime::Stopper {
 protected:
  static constexpr std::chrono::seconds patience{60};

  void SetUp() override { migrate::prepare_log_tailing(database_.owner_url(), support::TemporaryDatabase::role); }
  /// Slots are the server's, and it has few of them. Its sender notices the end of a relay a moment later.
  void TearDown() override {
    const auto dropped = [&] {
      try {
        migrate::drop_log_tailing(database_.owner_url());
        return true;
      } catch (const std::exception&) {
        return false;
      }
    };
    EXPECT_TRUE(embedded::await(dropped, patience));
  }

  void stop_because(const std::string& reason) override { ADD_FAILURE() << reason; }

  /// A process of the participant: its own connections, and the right to relay if it can get it.
  struct Instance {
    Instance(RelayBench& test, RelayUnderTest kind, const std::string& owner, Broker& broker)
        : store(postgres::connect(test.database_settings())),
          source(test.make_source(kind, *store)),
          leases(*store, test.log_, owner, {runtime::Relay::lease_name}, std::chrono::seconds(2)),
          relay(*store, *source, broker, leases, test.log_, test,
                {.slow_poll = test.polls_, .backoff = {std::chrono::milliseconds(5), std::chrono::milliseconds(100)}}) {
    }
    std::unique_ptr<Store> store;
    std::unique_ptr<OutboxSource> source;
    runtime::LeaseKeeper leases;
    runtime::Relay relay;
  };
  std::unique_ptr<Instance> start(RelayUnderTest kind, const std::string& owner = "one") {
    return std::make_unique<Instance>(*this, kind, owner, broker_);
  }
  std::unique_ptr<Instance> start(RelayUnderTest kind, const std::string& owner, Broker& broker) {
    return std::make_unique<Instance>(*this, kind, owner, broker);
  }

  [[nodiscard]] postgres::PostgresSettings database_settings() const {
    return {.url = database_.service_url(), .application_name = "relay"};
  }
  std::unique_ptr<OutboxSource> make_source(RelayUnderTest kind, Store& store) {
    if (kind == RelayUnderTest::polling) return std::make_unique<runtime::PollingSource>(store);
    auto tailing = tailing_;
    tailing.warn = [this](const std::string& text) { note(text); };
    tailing.info = tailing.warn;
    return postgres::tail(store, database_settings(), tailing);
  }

  static Event event(const std::string& key, std::uint64_t version) {
    Event result;
    result.id = new_uuid();
    result.type = "test.Happened";
    result.source = "tester";
    result.subject = "evt.1.tester.thing.Happened";
    result.stream = {"thing", key};
    result.version = version;
    result.saga_id = "saga";
    result.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    result.payload = std::string("\0\x01\xff{\"quoted\\\"}", 15);
    return result;
  }
  /// The next `count` events of the stream, in one transaction.
  void record(const std::string& key, std::uint64_t count = 1) {
    std::vector<Event> events;
    for (std::uint64_t i = 0; i < count; ++i) events.push_back(event(key, ++versions_[key]));
    const auto transaction = store_->begin();
    transaction->events().append(events);
    transaction->commit();
    recorded_ += count;
  }
  std::size_t left() { return std::stoul(sql("SELECT count(*) FROM quadrille.outbox")); }
  bool await_empty() {
    return embedded::await([&] { return left() == 0; }, patience);
  }

  /// Nothing lost; the first sending of each event in the order of its stream. How many were sent more than once.
  std::size_t expect_sound() {
    std::map<std::string, std::uint64_t> newest;
    std::size_t duplicates = 0;
    for (const auto& call : broker_.calls())
      for (const auto& message : call) {
        const auto version = std::stoull(message.headers.at("ce-version"));
        auto& seen = newest[message.headers.at("ce-stream")];
        if (version <= seen) {
          ++duplicates;
          continue;
        }
        EXPECT_EQ(version, seen + 1) << message.headers.at("ce-stream");
        seen = version;
      }
    for (const auto& [key, version] : versions_) EXPECT_EQ(newest["thing-" + key], version) << "lost of " << key;
    return duplicates;
  }

  /// As superuser; the first value, or nothing.
  std::string sql(const std::string& statement) const { return sql_at(database_.owner_url(), statement); }
  static std::string sql_at(const std::string& url, const std::string& statement) {
    pqxx::connection connection(url);
    pqxx::nontransaction work(connection);
    const auto rows = work.exec(statement);
    return rows.empty() || rows.columns() == 0 ? "" : rows[0][0].c_str();
  }
  [[nodiscard]] std::string slot() const {
    return sql("SELECT slot_name FROM pg_replication_slots WHERE database = current_database()");
  }
  /// The log has been read from, for the given time.
  bool await_tailing(std::size_t times = 1) {
    return embedded::await([&] { return noted("relay reads the log through slot") >= times; }, patience);
  }

  void note(const std::string& text) {
    const std::scoped_lock lock(notes_mutex_);
    notes_.push_back(text);
  }
  /// How many of the tailing relay's sentences have the text in them.
  std::size_t noted(const std::string& text) {
    const std::scoped_lock lock(notes_mutex_);
    std::size_t count = 0;
    for (const auto& each : notes_) count += each.find(text) != std::string::npos ? 1 : 0;
    return count;
  }

  support::TemporaryDatabase database_;
  support::ScriptedBroker broker_;
  postgres::TailingSettings tailing_;
  std::chrono::milliseconds polls_{50};
  telemetry::Log log_{"tester", telemetry::Level::error, telemetry::Format::text};
  std::unique_ptr<Store> store_ = postgres::connect(database_settings());
  std::map<std::string, std::uint64_t> versions_;
  std::size_t recorded_ = 0;

 private:
  std::mutex notes_mutex_;
  std::vector<std::string> notes_;
};

/// Every promise of a relay, on every source.
class RelayContract : public RelayBench, public ::testing::WithParamInterface<RelayUnderTest> {
 protected:
  /// A relay that is at work; one that tails does so by the log.
  std::unique_ptr<Instance> working(const std::string& owner = "one") {
    auto instance = start(GetParam(), owner);
    EXPECT_TRUE(GetParam() == RelayUnderTest::polling || await_tailing());
    return instance;
  }
};

}  // namespace quadrille
