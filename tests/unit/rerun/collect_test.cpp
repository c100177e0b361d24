// Sagas out of recorded traffic, one by one and all of them.
#include "cases/collect.hpp"

#include "archive/writer.hpp"
#include "embedded/child_process.hpp"
#include "traffic/ndjson.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace quadrille::cases {
namespace {

using ::testing::ElementsAre;

Event event(const std::string& saga, const std::string& stream, std::uint64_t version, int second) {
  Event one;
  one.id = saga + "/" + stream + "@" + std::to_string(version);
  one.type = "test.Happened";
  one.source = "tester";
  one.stream = {"account", stream};
  one.version = version;
  one.saga_id = saga;
  one.recorded_at = TimePoint(std::chrono::seconds(second));
  return one;
}

/// Three sagas one after the other; the second and the third record in streams in which others had recorded before.
std::vector<Event> traffic_of_three() {
  return {event("a", "ann", 1, 1), event("a", "bob", 1, 2), event("b", "ann", 2, 3),
          event("b", "bob", 2, 4), event("c", "bob", 3, 5), event("a", "eve", 1, 6)};
}

std::vector<std::string> ids_of(const casefile::v1::Case& one) {
  std::vector<std::string> ids;
  for (const auto& event : one.event()) ids.push_back(event.id());
  return ids;
}

class Collect : public ::testing::Test {
 protected:
  traffic::Source file(const std::vector<Event>& events) {
    traffic::Source source;
    source.file = (folder_.path() / "traffic.ndjson").string();
    std::ofstream output(source.file);
    for (const auto& event : events) output << traffic::to_ndjson(event) << "\n";
    return source;
  }
  traffic::Source archive(const std::vector<Event>& events) {
    traffic::Source source;
    source.archive = (folder_.path() / "traffic.qarc").string();
    archive::Writer writer(source.archive, {});
    for (const auto& event : events) writer.add(event);
    writer.finish();
    return source;
  }
  static std::map<std::string, std::vector<std::string>> all(const traffic::Source& source,
                                                             const archive::Window& began = {}) {
    std::map<std::string, std::vector<std::string>> found;
    collect_all(source, began, [&](const casefile::v1::Case& one, std::uint64_t sagas) {
      EXPECT_EQ(sagas, 3U);
      EXPECT_TRUE(found.emplace(one.header().saga_id(), ids_of(one)).second) << "came twice";
    });
    return found;
  }

  embedded::TemporaryFolder folder_;
};

TEST_F(Collect, ASagaBringsAlongWhatItsStreamsHeldBefore) {
  for (const auto& source : {file(traffic_of_three()), archive(traffic_of_three())}) {
    EXPECT_THAT(ids_of(collect(source, "a")), ElementsAre("a/ann@1", "a/bob@1", "a/eve@1"));
    EXPECT_THAT(ids_of(collect(source, "c")), ElementsAre("a/bob@1", "b/bob@2", "c/bob@3"));
    EXPECT_TRUE(ids_of(collect(source, "nobody")).empty());
  }
}

TEST_F(Collect, AllSagasAreWhatEachIsAlone) {
  for (const auto& source : {file(traffic_of_three()), archive(traffic_of_three())}) {
    const auto found = all(source);
    ASSERT_EQ(found.size(), 3U);
    for (const auto& [saga, ids] : found) EXPECT_EQ(ids, ids_of(collect(source, saga))) << saga;
  }
}

TEST_F(Collect, WhatTheSourceHoldsTwiceIsTakenOnce) {
  auto events = traffic_of_three();
  const auto twice = traffic_of_three();
  events.insert(events.end(), twice.begin(), twice.end());
  EXPECT_EQ(all(archive(events)), all(file(traffic_of_three())));
}

TEST_F(Collect, AWindowTakesTheSagasThatBeganInIt) {
  archive::Window window;
  window.from = TimePoint(std::chrono::seconds(3));
  window.to = TimePoint(std::chrono::seconds(5));
  const auto found = all(archive(traffic_of_three()), window);
  ASSERT_EQ(found.size(), 1U) << "a goes on in the window, but began before";
  EXPECT_THAT(found.at("b"), ElementsAre("a/ann@1", "a/bob@1", "b/ann@2", "b/bob@2"));
}

}  // namespace
}  // namespace quadrille::cases
