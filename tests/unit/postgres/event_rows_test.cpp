#include "postgres/replication/event_rows.hpp"

#include "core/time_text.hpp"
#include "pgoutput_bytes.hpp"
#include "quadrille/error.hpp"

#include <gtest/gtest.h>

namespace quadrille::postgres {
namespace {

using Values = std::vector<std::optional<std::string>>;

/// As PostgreSQL has them; the order of the columns is the table's.
const std::vector<std::string> columns{"position", "tx",          "id",          "type",    "source",       "subject",
                                       "category", "key",         "version",     "saga_id", "causation_id", "hops",
                                       "contract", "traceparent", "recorded_at", "payload"};
const Values row{{"12"},       {"731"},       {"0190a5d8-0000-7000-8000-000000000001"},
                 {"t.E"},      {"t"},         {"evt.1.t.thing.E"},
                 {"thing"},    {"a-b"},       {"3"},
                 {"saga"},     {""},          {"2"},
                 {"c0ffee"},   {"00-1-2-01"}, {"2026-12-01 10:48:11.00012+00"},
                 {"\\x0aff00"}};

class EventRowsTest : public ::testing::Test {
 protected:
  void describe(std::uint32_t id, const std::string& table, const std::vector<std::string>& with) {
    const auto bytes = relation_bytes(id, "quadrille", table, with);
    rows_.describe(std::get<pgoutput::Relation>(pgoutput::parse(bytes)));
  }
  std::optional<Outbox::Entry> entry(std::uint32_t id, const Values& values) {
    const auto bytes = insert_bytes(id, values);
    return rows_.entry(std::get<pgoutput::Insert>(pgoutput::parse(bytes)));
  }
  Values with(std::size_t column, std::optional<std::string> value) {
    auto values = row;
    values[column] = std::move(value);
    return values;
  }

  EventRows rows_;
};

TEST_F(EventRowsTest, AreEntries) {
  describe(5, "events", columns);
  const auto found = entry(5, row);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->position, 12U);
  Event event;
  event.id = "0190a5d8-0000-7000-8000-000000000001";
  event.type = "t.E";
  event.source = "t";
  event.subject = "evt.1.t.thing.E";
  event.stream = {"thing", "a-b"};
  event.version = 3;
  event.saga_id = "saga";
  event.hops = 2;
  event.contract = "c0ffee";
  event.traceparent = "00-1-2-01";
  event.recorded_at = from_rfc3339("2026-12-01T10:48:11.000120Z").value();
  event.payload = std::string("\x0a\xff\0", 3);
  EXPECT_EQ(found->event, event);
}

TEST_F(EventRowsTest, OfOtherTablesAreNone) {
  EXPECT_FALSE(entry(5, row)) << "a table nobody has described";
  describe(5, "events", columns);
  describe(6, "streams", {"category"});
  EXPECT_FALSE(entry(6, {{"thing"}}));
}

TEST_F(EventRowsTest, ThatCannotBeReadAreErrors) {
  EXPECT_THROW(describe(5, "events", {"position", "id"}), Error);
  describe(5, "events", columns);
  EXPECT_THROW(static_cast<void>(entry(5, {{"12"}})), Error);
  EXPECT_THROW(static_cast<void>(entry(5, with(0, "12x"))), Error);
  EXPECT_THROW(static_cast<void>(entry(5, with(8, "-1"))), Error);
  EXPECT_THROW(static_cast<void>(entry(5, with(2, std::nullopt))), Error);
  EXPECT_THROW(static_cast<void>(entry(5, with(15, "not hex"))), Error);
  for (const auto* time : {"", "2026-12-01", "01.12.2026 10:48:11+00", "2026-12-01 10:48:11+01", "+00", " +00"})
    EXPECT_THROW(static_cast<void>(entry(5, with(14, time))), Error) << time;
}

}  // namespace
}  // namespace quadrille::postgres
