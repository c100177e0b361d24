#include "archive/archive.hpp"

#include "archive/index_runs.hpp"
#include "archive/scan.hpp"
#include "archive/writer.hpp"
#include "core/uuid.hpp"
#include "embedded/child_process.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>
#include <zstd.h>

namespace quadrille::archive {
namespace {

namespace fs = std::filesystem;

/// Of `sagas` sagas, three events each, a second apart, that overlap each other.
std::vector<Event> events_of(int sagas) {
  std::vector<Event> events;
  for (int i = 0; i < sagas + 2; ++i)
    for (int step = 2; step >= 0; --step) {
      const int saga = i - step;
      if (saga < 0 || saga >= sagas) continue;
      Event event;
      event.id = "event-" + std::to_string(saga) + "-" + std::to_string(step);
      event.type = "test.Happened";
      event.source = "tester";
      event.stream = {"thing", std::to_string(saga)};
      event.version = static_cast<std::uint64_t>(step + 1);
      event.saga_id = "saga-" + std::to_string(saga);
      event.recorded_at = TimePoint(std::chrono::seconds(i));
      event.payload = std::string(200, static_cast<char>('a' + saga % 26)) + event.id;
      events.push_back(std::move(event));
    }
  return events;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << input.rdbuf();
  return bytes.str();
}

class ArchiveFile : public ::testing::Test {
 protected:
  fs::path write(const std::vector<Event>& events, const std::string& name = "a.qarc") {
    auto file = folder_.path() / name;
    casefile::v1::ArchiveHeader header;
    header.set_source("here");
    Writer writer(file, header);
    for (const auto& event : events) writer.add(event);
    const auto written = writer.finish();
    EXPECT_EQ(written.events, events.size());
    EXPECT_EQ(written.bytes, fs::file_size(file));
    return file;
  }
  fs::path write_bytes(const std::string& bytes, const std::string& name) {
    auto file = folder_.path() / name;
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }
  static std::vector<Event> read(const fs::path& file, const Window& window = {}) {
    std::vector<Event> events;
    Archive(file).read(window, [&](const Event& event) { events.push_back(event); });
    return events;
  }

  embedded::TemporaryFolder folder_;
};

TEST_F(ArchiveFile, HoldsWhatWasWrittenInItsOrder) {
  const auto events = events_of(3'000);
  const auto file = write(events);
  EXPECT_EQ(read(file), events);
  const Archive archive(file);
  EXPECT_GT(archive.frames(), 4U);
  EXPECT_EQ(archive.header().source(), "here");
  EXPECT_EQ(archive.directory().sagas(), 3'000U);
  EXPECT_EQ(archive.directory().streams(), 3'000U);
  EXPECT_TRUE(scan(file, {}).faults.empty());
  EXPECT_TRUE(read(write({}, "empty.qarc")).empty());
}

TEST_F(ArchiveFile, FindsEverySagaAndStreamThroughItsIndex) {
  const Archive archive(write(events_of(3'000)));
  for (const int saga : {0, 1, 777, 1'499, 2'999}) {
    const auto events = archive.saga("saga-" + std::to_string(saga));
    ASSERT_EQ(events.size(), 3U) << saga;
    for (const auto& event : events) EXPECT_EQ(event.saga_id, "saga-" + std::to_string(saga));
    EXPECT_EQ(archive.stream({"thing", std::to_string(saga)}), events);
    EXPECT_LE(archive.frames_of(saga_hash("saga-" + std::to_string(saga))).size(), 2U);
  }
  EXPECT_TRUE(archive.saga("nobody").empty());
}

TEST_F(ArchiveFile, ReadsAWindow) {
  const auto file = write(events_of(3'000));
  Window window;
  window.from = TimePoint(std::chrono::seconds(100));
  window.to = TimePoint(std::chrono::seconds(200));
  const auto events = read(file, window);
  EXPECT_EQ(events.size(), 300U);
  EXPECT_TRUE(std::ranges::all_of(events, [&](const Event& event) { return window.has(event.recorded_at); }));
}

TEST_F(ArchiveFile, IsWhatAnyReaderOfZstandardUnpacks) {
  const auto bytes = bytes_of(write(events_of(500)));
  std::string unpacked;
  std::string piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_DCtx* context = ZSTD_createDCtx();
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  while (input.pos < input.size) {
    ZSTD_outBuffer output{piece.data(), piece.size(), 0};
    const auto left = ZSTD_decompressStream(context, &output, &input);
    ASSERT_EQ(ZSTD_isError(left), 0U) << ZSTD_getErrorName(left);
    unpacked.append(piece.data(), output.pos);
  }
  ZSTD_freeDCtx(context);
  std::string_view rest = unpacked;
  std::size_t records = 0;
  for (casefile::v1::Entry entry; !rest.empty(); ++records) take_record(rest, entry);
  EXPECT_EQ(records, 1'501U) << "the header and every event";
}

TEST_F(ArchiveFile, ACutFileSaysWhereAndWhatCanBeSavedIs) {
  const auto events = events_of(3'000);
  const auto whole = bytes_of(write(events));
  const auto cut = write_bytes(whole.substr(0, whole.size() * 2 / 3), "cut.qarc");
  try {
    static_cast<void>(read(cut));
    FAIL() << "it was read";
  } catch (const BadArchive& error) {
    EXPECT_EQ(error.offset(), fs::file_size(cut));
    EXPECT_NE(std::string(error.what()).find("was never finished"), std::string::npos) << error.what();
  }
  std::vector<Event> saved;
  const auto found = scan(cut, [&](const Event& event) { saved.push_back(event); });
  ASSERT_EQ(found.faults.size(), 1U);
  EXPECT_GT(saved.size(), events.size() / 2);
  EXPECT_TRUE(std::equal(saved.begin(), saved.end(), events.begin()));
  const auto rest = write(saved, "rest.qarc");
  EXPECT_EQ(read(rest), saved);
}

TEST_F(ArchiveFile, AChangedByteIsFoundWhereverItIs) {
  const auto events = events_of(600);
  const auto file = write(events);
  const auto whole = bytes_of(file);
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    auto bytes = whole;
    const auto at = i == 0 ? bytes.size() - 1 : random() % bytes.size();
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    const auto changed = write_bytes(bytes, "changed.qarc");
    std::size_t saved = 0;
    const auto found = scan(changed, [&](const Event&) { ++saved; });
    EXPECT_FALSE(found.faults.empty()) << "byte " << at << " of " << bytes.size();
    EXPECT_GE(saved + 1'200, events.size()) << "more than a frame is lost by byte " << at;
  }
}

TEST_F(ArchiveFile, ADamagedFrameIsToldWhenItIsReadAndTheOthersAreThere) {
  const auto file = write(events_of(3'000));
  auto bytes = bytes_of(file);
  const auto table = read_frame_table(bytes, "a");
  const auto& frame = table.frames[3];
  bytes[frame.offset + frame.length / 2] = static_cast<char>(~bytes[frame.offset + frame.length / 2]);
  const auto changed = write_bytes(bytes, "changed.qarc");
  const Archive archive(changed);
  EXPECT_EQ(archive.saga("saga-0").size(), 3U);
  try {
    archive.read({}, [](const Event&) {});
    FAIL() << "it was read";
  } catch (const BadArchive& error) {
    EXPECT_EQ(error.offset(), frame.offset);
    EXPECT_NE(std::string(error.what()).find("at byte " + std::to_string(frame.offset)), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("--salvage"), std::string::npos) << error.what();
  }
}

TEST_F(ArchiveFile, WhatIsNoArchiveIsToldSo) {
  EXPECT_THROW(Archive(write_bytes("", "none")), BadArchive);
  EXPECT_THROW(Archive(write_bytes("{\"id\":1}\n", "json")), BadArchive);
  EXPECT_THROW(Archive(folder_.path() / "nowhere"), std::runtime_error);
}

TEST_F(ArchiveFile, NothingIsOverwrittenAndWhatIsNotFinishedIsRemoved) {
  const auto file = write(events_of(3));
  EXPECT_THROW(Writer(file, {}), std::runtime_error);
  { Writer unfinished(folder_.path() / "b.qarc", {}); }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST(IndexRuns, MergesWhatDidNotFitIntoMemory) {
  IndexRuns runs(7);
  std::mt19937_64 random(1);
  std::vector<IndexEntry> expected;
  for (int i = 0; i < 500; ++i) {
    expected.push_back({random() % 50, static_cast<std::uint32_t>(random() % 4)});
    runs.add(expected.back());
  }
  std::ranges::sort(expected);
  const auto repeated = std::ranges::unique(expected);
  expected.erase(repeated.begin(), repeated.end());
  std::vector<IndexEntry> merged;
  runs.merge([&](const IndexEntry& entry) { merged.push_back(entry); });
  EXPECT_EQ(merged, expected);
}

}  // namespace
}  // namespace quadrille::archive
