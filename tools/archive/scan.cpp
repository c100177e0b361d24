#include "archive/scan.hpp"

#include "archive/archive.hpp"
#include "archive/format.hpp"
#include "casefile/case_events.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace quadrille::archive {
namespace {

constexpr std::size_t most_faults = 1'000;

class Scanner {
 public:
  Scanner(const std::filesystem::path& path, const std::function<void(const Event&)>& take)
      : path_(path), file_(path), take_(take) {}

  Scan go() {
    const auto bytes = file_.bytes();
    scan_.bytes = bytes.size();
    std::uint64_t at = 0;
    while (at < bytes.size()) {
      const auto length = frame(at);
      if (length > 0) {
        at += length;
        continue;
      }
      const auto next = next_frame(at + 1);
      fault(at, next == bytes.size()
                    ? "no whole frame begins any more; " + std::to_string(next - at) + " bytes are lost"
                    : std::to_string(next - at) + " bytes are damaged; whole again at byte " + std::to_string(next));
      at = next;
    }
    if (scan_.faults.empty()) hold_against_index();
    return std::move(scan_);
  }

 private:
  void fault(std::uint64_t offset, std::string what) {
    if (scan_.faults.size() < most_faults) scan_.faults.push_back({offset, std::move(what)});
  }

  /// Takes the frame that begins there; its length, 0 where none does or it is damaged.
  std::uint64_t frame(std::uint64_t at) {
    const auto rest = file_.bytes().substr(at);
    const auto length = length_of_frame(rest);
    if (length == 0 || get_32(rest.data()) != zstd_magic) return length;
    std::vector<Event> events;
    try {
      const auto unpacked = unpack(rest.substr(0, length));
      casefile::v1::Entry entry;
      for (std::string_view records = unpacked; !records.empty();) {
        take_record(records, entry);
        if (entry.has_event()) events.push_back(casefile::to_event(entry.event()));
        if (entry.has_header()) scan_.header = entry.header();
      }
    } catch (const std::runtime_error&) {
      return 0;
    }
    const auto number = static_cast<std::uint32_t>(scan_.frames++);
    if (index_) check_index(number, at, events);
    scan_.events += events.size();
    if (take_)
      for (const auto& event : events) take_(event);
    return length;
  }

  [[nodiscard]] std::uint64_t next_frame(std::uint64_t at) const {
    const auto bytes = file_.bytes();
    constexpr std::uint32_t skippable_first = 0x184D2A50;
    for (; at + sizeof(std::uint32_t) <= bytes.size(); ++at) {
      const auto magic = get_32(bytes.data() + at);
      if (magic != zstd_magic && (magic & ~0xFU) != skippable_first) continue;
      const auto length = length_of_frame(bytes.substr(at));
      if (length == 0) continue;
      if (magic != zstd_magic) return at;
      try {
        static_cast<void>(unpack(bytes.substr(at, length)));
        return at;
      } catch (const std::runtime_error&) {
        continue;
      }
    }
    return bytes.size();
  }

  void hold_against_index() {
    try {
      const Archive archive(path_);
      if (archive.directory().events() != scan_.events)
        fault(scan_.bytes, "the directory counts " + std::to_string(archive.directory().events()) +
                               " events, there are " + std::to_string(scan_.events));
      index_ = &archive;
      const auto read = std::exchange(scan_.frames, 0);
      const auto events = scan_.events;
      take_ = nullptr;
      for (std::uint64_t at = 0; scan_.frames < read;) at += frame(at);
      scan_.events = events;
      index_ = nullptr;
    } catch (const BadArchive& error) {
      index_ = nullptr;
      fault(error.offset(), error.what());
    }
  }

  void check_index(std::uint32_t number, std::uint64_t at, const std::vector<Event>& events) {
    std::unordered_set<std::uint64_t> hashes;
    for (const auto& event : events) {
      if (!event.saga_id.empty()) hashes.insert(saga_hash(event.saga_id));
      hashes.insert(stream_hash(event.stream.text()));
    }
    const auto missing = std::ranges::count_if(
        hashes, [&](std::uint64_t hash) { return !std::ranges::binary_search(index_->frames_of(hash), number); });
    if (missing > 0)
      fault(at, "the index lacks " + std::to_string(missing) + " sagas or streams of frame " + std::to_string(number));
  }

  const std::filesystem::path path_;
  const MappedFile file_;
  std::function<void(const Event&)> take_;
  const Archive* index_ = nullptr;
  Scan scan_;
};

}  // namespace

Scan scan(const std::filesystem::path& file, const std::function<void(const Event&)>& take) {
  return Scanner(file, take).go();
}

}  // namespace quadrille::archive
