#include "casefile/case_file.hpp"

#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <sstream>

namespace quadrille::casefile {
namespace {

v1::Case small_case(const std::string& saga) {
  v1::Case one;
  one.mutable_header()->set_saga_id(saga);
  for (const auto* id : {"a", "b"}) {
    auto& event = *one.add_event();
    event.set_id(id);
    event.set_payload("some bytes");
  }
  return one;
}

std::string bytes_of(const v1::Case& one) {
  std::ostringstream output;
  write(one, output);
  return output.str();
}

std::string complaint(const std::string& bytes) {
  std::istringstream input(bytes);
  try {
    static_cast<void>(Reader(input, "x.case").next());
  } catch (const BadFile& bad) {
    return bad.what();
  }
  return "";
}

TEST(CaseFile, GivesBackWhatWasWrittenCaseByCase) {
  std::istringstream input(bytes_of(small_case("one")) + bytes_of(small_case("two")));
  Reader reader(input, "x.case");
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(*reader.next(), small_case("one")));
  EXPECT_EQ(reader.next()->header().saga_id(), "two");
  EXPECT_FALSE(reader.next());
}

TEST(CaseFile, AnEndBetweenCasesThatWereWrittenTogetherIsTold) {
  auto first = small_case("one");
  first.mutable_header()->set_more(true);
  std::istringstream whole(bytes_of(first) + bytes_of(small_case("two")));
  Reader reader(whole, "x.case");
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(*reader.next(), small_case("one")))
      << "that more follow is of the file, not of the case";
  EXPECT_TRUE(reader.next());
  EXPECT_FALSE(reader.next());
  std::istringstream cut(bytes_of(first));
  Reader of_less(cut, "x.case");
  EXPECT_TRUE(of_less.next());
  EXPECT_THROW(static_cast<void>(of_less.next()), BadFile);
}

TEST(CaseFile, AnEmptyFileIsNone) { EXPECT_NE(complaint("").find("x.case: is empty"), std::string::npos); }

TEST(CaseFile, EveryTruncationIsToldWithItsOffset) {
  const auto whole = bytes_of(small_case("one"));
  for (std::size_t length = 1; length < whole.size(); ++length) {
    const auto said = complaint(whole.substr(0, length));
    EXPECT_NE(said.find("at byte " + std::to_string(length)), std::string::npos) << length << ": " << said;
  }
}

TEST(CaseFile, EveryChangedByteIsTold) {
  const auto whole = bytes_of(small_case("one"));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    auto changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x41);
    EXPECT_NE(complaint(changed).find(" at byte "), std::string::npos) << i;
  }
}

TEST(CaseFile, SaysWhatCouldBeSavedOfADamagedOne) {
  const auto whole = bytes_of(small_case("one"));
  std::istringstream input(whole.substr(0, whole.size() - 30));
  try {
    static_cast<void>(Reader(input, "x.case").next());
    FAIL() << "a file without its end was taken for whole";
  } catch (const BadFile& bad) {
    EXPECT_GE(bad.whole().event_size(), 1);
    EXPECT_NE(std::string(bad.what()).find("of saga one before it are whole"), std::string::npos) << bad.what();
  }
}

TEST(CaseFile, NamesTheFormatItDoesNotKnow) {
  auto newer = bytes_of(small_case("one"));
  newer[7] = '2';
  EXPECT_NE(complaint(newer).find("case file of format 2"), std::string::npos);
  EXPECT_NE(complaint("{\"id\": 1}\n").find("is no case file"), std::string::npos);
}

}  // namespace
}  // namespace quadrille::casefile
