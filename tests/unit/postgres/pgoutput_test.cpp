#include "postgres/replication/pgoutput.hpp"

#include "pgoutput_bytes.hpp"
#include "postgres/replication/frame.hpp"
#include "quadrille/error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace quadrille::postgres {
namespace {

using namespace pgoutput;

const std::vector<std::string>& samples() {
  static const std::vector<std::string> all{
      begin_bytes(0x16B374D848, 731),
      commit_bytes(0x16B374D848, 0x16B374D880),
      relation_bytes(16385, "quadrille", "events", {"position", "tx", "payload"}),
      insert_bytes(16385, {{"7"}, std::nullopt, std::string("a\0b", 3)}),
      Bytes().kind('Y').u32(20000).name("quadrille").name("mood").text,
      Bytes().kind('O').u64(99).name("elsewhere").text,
      Bytes().kind('T').u32(2).u8(0).u32(16385).u32(16386).text,
  };
  return all;
}

template <class Kind>
Kind parsed(const std::string& bytes) {
  return std::get<Kind>(parse(bytes));
}

TEST(Pgoutput, ReadsWhereATransactionStandsInTheLog) {
  EXPECT_EQ(parsed<Begin>(samples()[0]).commit, 0x16B374D848U);
  EXPECT_EQ(parsed<Begin>(samples()[0]).transaction, 731U);
  EXPECT_EQ(parsed<Commit>(samples()[1]).commit, 0x16B374D848U);
  EXPECT_EQ(parsed<Commit>(samples()[1]).end, 0x16B374D880U);
}

TEST(Pgoutput, ReadsTablesAndTheirRows) {
  const auto relation = parsed<Relation>(samples()[2]);
  EXPECT_EQ(relation.id, 16385U);
  EXPECT_EQ(relation.schema + "." + relation.name, "quadrille.events");
  EXPECT_EQ(relation.columns, (std::vector<std::string>{"position", "tx", "payload"}));
  const auto insert = parsed<Insert>(samples()[3]);
  EXPECT_EQ(insert.relation, 16385U);
  ASSERT_EQ(insert.values.size(), 3U);
  EXPECT_EQ(insert.values[0], "7");
  EXPECT_FALSE(insert.values[1]);
  EXPECT_EQ(insert.values[2], std::string_view("a\0b", 3));
}

TEST(Pgoutput, KnowsWhatItNeedNotRead) {
  EXPECT_TRUE(std::holds_alternative<Type>(parse(samples()[4])));
  EXPECT_TRUE(std::holds_alternative<Origin>(parse(samples()[5])));
  EXPECT_TRUE(std::holds_alternative<Truncate>(parse(samples()[6])));
}

TEST(Pgoutput, RefusesEveryMessageCutShortAndEveryOneTooLong) {
  for (const auto& sample : samples()) {
    for (std::size_t length = 0; length < sample.size(); ++length)
      EXPECT_THROW(static_cast<void>(parse(std::string_view(sample).substr(0, length))), Error)
          << sample[0] << " of " << length;
    EXPECT_THROW(static_cast<void>(parse(sample + "x")), Error) << sample[0];
  }
}

TEST(Pgoutput, RefusesWhatItWasNotAskedToSend) {
  EXPECT_THROW(static_cast<void>(parse("Z")), Error);
  EXPECT_THROW(static_cast<void>(parse(Bytes().kind('U').u32(1).text)), Error);
  EXPECT_THROW(static_cast<void>(parse(Bytes().kind('I').u32(1).kind('K').u16(0).text)), Error);
  for (const char form : {'u', 'b', 'x'})
    EXPECT_THROW(static_cast<void>(parse(Bytes().kind('I').u32(1).kind('N').u16(1).kind(form).u32(0).text)), Error);
  EXPECT_THROW(static_cast<void>(parse(Bytes().kind('I').u32(1).kind('N').u16(1).kind('t').u32(0xffffffffU).text)),
               Error);
}

TEST(Pgoutput, ReadsOrRefusesAnyBytes) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50'000; ++round) {
    auto bytes = samples()[random() % samples().size()];
    for (int change = 0; change < 3; ++change) bytes[random() % bytes.size()] = static_cast<char>(random());
    try {
      static_cast<void>(parse(bytes));
    } catch (const Error&) {
    }
  }
}

TEST(ReplicationFrame, IsLogDataOrAKeepalive) {
  const auto data = Bytes().kind('w').u64(1).u64(2).u64(3).name("message").text;
  EXPECT_EQ(std::get<LogData>(parse_frame(data)).message, std::string_view("message\0", 8));
  const auto keepalive = std::get<Keepalive>(parse_frame(Bytes().kind('k').u64(77).u64(3).u8(1).text));
  EXPECT_EQ(keepalive.end, 77U);
  EXPECT_TRUE(keepalive.reply_now);
  EXPECT_FALSE(std::get<Keepalive>(parse_frame(Bytes().kind('k').u64(77).u64(3).u8(0).text)).reply_now);
}

TEST(ReplicationFrame, RefusesWhatIsCutShort) {
  const auto keepalive = Bytes().kind('k').u64(77).u64(3).u8(1).text;
  for (std::size_t length = 0; length < keepalive.size(); ++length)
    EXPECT_THROW(static_cast<void>(parse_frame(std::string_view(keepalive).substr(0, length))), Error);
  const auto data = Bytes().kind('w').u64(1).u64(2).u64(3).text;
  for (std::size_t length = 0; length < data.size(); ++length)
    EXPECT_THROW(static_cast<void>(parse_frame(std::string_view(data).substr(0, length))), Error);
  EXPECT_THROW(static_cast<void>(parse_frame("?")), Error);
}

TEST(ReplicationFrame, ConfirmsWithTheTimeSinceTwoThousand) {
  const auto time = std::chrono::system_clock::time_point(std::chrono::seconds(946'684'800) + std::chrono::seconds(1));
  EXPECT_EQ(status_update(0x0102, time),
            Bytes().kind('r').u64(0x0102).u64(0x0102).u64(0x0102).u64(1'000'000).u8(0).text);
}

}  // namespace
}  // namespace quadrille::postgres
