#include "archive/archive.hpp"

#include "casefile/case_events.hpp"

#include <algorithm>

namespace quadrille::archive {
namespace {

std::uint64_t hash_at(std::string_view page, std::size_t entry) { return get_64(page.data() + entry * entry_bytes); }

}  // namespace

Archive::Archive(const std::filesystem::path& file) : name_(file.string()), file_(file) {
  table_ = read_frame_table(file_.bytes(), name_);
  if (table_.frames.empty()) fail(0, "is no archive: it has no frame");
  const auto last = table_.frames.size() - 1;
  const auto directory = bytes_of(last);
  if (directory.size() < skippable_header || get_32(directory.data()) != directory_magic)
    fail(last, "is no archive of events: its last frame is no directory");
  try {
    if (!directory_.ParseFromString(unpack(directory.substr(skippable_header)))) throw std::runtime_error("is damaged");
  } catch (const std::runtime_error& error) {
    fail(last, std::string("the directory ") + error.what());
  }
  if (table_.frames.size() != static_cast<std::size_t>(directory_.frame_size() + directory_.page_size()) + 1 ||
      directory_.frame_size() == 0)
    fail(last, "is damaged: directory and seek table tell of different frames");
  try {
    const auto unpacked = unpack(bytes_of(0));
    std::string_view rest = unpacked;
    casefile::v1::Entry entry;
    take_record(rest, entry);
    header_ = std::move(*entry.mutable_header());
  } catch (const std::runtime_error& error) {
    fail(0, std::string("the header ") + error.what());
  }
  if (header_.format() != 1)
    fail(0, "is an archive of format " + std::to_string(header_.format()) +
                ", this program reads format 1: use a newer one,");
}

void Archive::fail(std::size_t frame, const std::string& what) const {
  const auto at = frame < table_.frames.size() ? table_.frames[frame].offset : 0;
  throw BadArchive(name_ + ": " + what + " at byte " + std::to_string(at) +
                       " (the rest can be saved: quadrille archive verify " + name_ + " --salvage NEW)",
                   at);
}

std::string_view Archive::bytes_of(std::size_t frame) const {
  return file_.bytes().substr(table_.frames[frame].offset, table_.frames[frame].length);
}

std::string_view Archive::page(std::size_t number) const {
  const auto frame = static_cast<std::size_t>(directory_.frame_size()) + number;
  const auto content = bytes_of(frame).substr(std::min(skippable_header, bytes_of(frame).size()));
  if (crc(content) != directory_.page(static_cast<int>(number)).crc())
    fail(frame, "a page of the index is damaged: its checksum does not match");
  return content;
}

std::vector<std::uint32_t> Archive::frames_of(std::uint64_t hash) const {
  std::vector<std::uint32_t> frames;
  const auto& pages = directory_.page();
  // The last page that begins before the hash may hold the first of its entries.
  auto number = static_cast<std::size_t>(
      std::ranges::lower_bound(pages, hash, {}, &casefile::v1::Directory::Page::first_hash) - pages.begin());
  if (number > 0) --number;
  for (; number < static_cast<std::size_t>(pages.size()); ++number) {
    if (pages[static_cast<int>(number)].first_hash() > hash) break;
    const auto entries = page(number);
    const auto count = entries.size() / entry_bytes;
    std::size_t low = 0;
    for (std::size_t high = count; low < high;) {
      const auto middle = (low + high) / 2;
      if (hash_at(entries, middle) < hash)
        low = middle + 1;
      else
        high = middle;
    }
    for (; low < count && hash_at(entries, low) == hash; ++low)
      frames.push_back(get_32(entries.data() + low * entry_bytes + sizeof hash));
  }
  return frames;
}

void Archive::each(std::uint32_t frame, const std::function<void(const casefile::v1::RecordedEvent&)>& take) const {
  std::string unpacked;
  try {
    unpacked = unpack(bytes_of(frame));
  } catch (const std::runtime_error& error) {
    fail(frame, "frame " + std::to_string(frame) + " of " + std::to_string(frames()) + " " + error.what());
  }
  casefile::v1::Entry entry;
  for (std::string_view rest = unpacked; !rest.empty();) {
    try {
      take_record(rest, entry);
    } catch (const std::runtime_error& error) {
      fail(frame, "frame " + std::to_string(frame) + " " + error.what());
    }
    if (entry.has_event()) take(entry.event());
  }
}

std::vector<Event> Archive::frame(std::uint32_t number) const {
  std::vector<Event> events;
  each(number, [&](const auto& event) { events.push_back(casefile::to_event(event)); });
  return events;
}

void Archive::read(const Window& window, const std::function<void(const Event&)>& take) const {
  const auto micros = [](TimePoint time) { return time.time_since_epoch().count(); };
  for (std::uint32_t i = 0; i < frames(); ++i) {
    const auto& about = directory_.frame(static_cast<int>(i));
    if (about.events() == 0 || (window.from && about.last_us() < micros(*window.from)) ||
        (window.to && about.first_us() >= micros(*window.to)))
      continue;
    each(i, [&](const auto& recorded) {
      const auto event = casefile::to_event(recorded);
      if (window.has(event.recorded_at)) take(event);
    });
  }
}

std::vector<Event> Archive::saga(const std::string& saga_id) const {
  std::vector<Event> events;
  for (const auto frame : frames_of(saga_hash(saga_id)))
    each(frame, [&](const auto& event) {
      if (event.saga_id() == saga_id) events.push_back(casefile::to_event(event));
    });
  return events;
}

std::vector<Event> Archive::stream(const StreamName& name) const {
  std::vector<Event> events;
  for (const auto frame : frames_of(stream_hash(name.text())))
    each(frame, [&](const auto& event) {
      if (event.category() == name.category && event.key() == name.key) events.push_back(casefile::to_event(event));
    });
  return events;
}

}  // namespace quadrille::archive
