#include "archive/writer.hpp"

#include "casefile/case_events.hpp"

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace quadrille::archive {

Writer::Writer(std::filesystem::path file, casefile::v1::ArchiveHeader header)
    : file_(std::move(file)), unfinished_(file_.string() + ".part-" + std::to_string(::getpid())) {
  if (std::filesystem::exists(file_))
    throw std::runtime_error(file_.string() + " is there already; remove it, or give the archive another name");
  output_.open(unfinished_, std::ios::binary);
  if (!output_) throw std::runtime_error(file_.string() + " cannot be written");
  header.set_format(1);
  casefile::v1::Entry entry;
  *entry.mutable_header() = std::move(header);
  put_record(frame_, entry);
  end_frame();
}

Writer::~Writer() {
  std::error_code ignored;
  std::filesystem::remove(unfinished_, ignored);  // finish() has renamed it
}

void Writer::add(const Event& event) {
  casefile::v1::Entry entry;
  *entry.mutable_event() = casefile::to_recorded(event);
  put_record(frame_, entry);
  const auto at = event.recorded_at.time_since_epoch().count();
  about_.set_first_us(about_.events() == 0 ? at : std::min<std::int64_t>(about_.first_us(), at));
  about_.set_last_us(about_.events() == 0 ? at : std::max<std::int64_t>(about_.last_us(), at));
  about_.set_events(about_.events() + 1);
  if (!event.saga_id.empty()) in_frame_.insert(saga_hash(event.saga_id));
  in_frame_.insert(stream_hash(event.stream.text()));
  ++written_.events;
  if (frame_.size() >= frame_bytes) end_frame();
}

void Writer::end_frame() {
  if (frame_.empty()) return;
  for (const auto hash : in_frame_) index_.add({hash, frames_});
  in_frame_.clear();
  *directory_.add_frame() = std::exchange(about_, {});
  write(packer_.pack(frame_), frame_.size());
  frame_.clear();
}

void Writer::write(const std::string& frame, std::size_t unpacked) {
  put_32(seek_table_, static_cast<std::uint32_t>(frame.size()));
  put_32(seek_table_, static_cast<std::uint32_t>(unpacked));
  output_ << frame;
  ++frames_;
  written_.bytes += frame.size();
  written_.unpacked += unpacked;
}

void Writer::write_index() {
  std::string page;
  std::uint64_t first = 0;
  std::uint64_t last = 1;  // of a stream, as the first one cannot be
  const auto end_page = [&] {
    if (page.empty()) return;
    auto& about = *directory_.add_page();
    about.set_first_hash(first);
    about.set_crc(crc(page));
    write(skippable(page_magic, page), 0);
    page.clear();
  };
  bool any = false;
  index_.merge([&](const IndexEntry& entry) {
    if (page.empty()) first = entry.hash;
    if (!any || entry.hash != last) ++(is_saga(entry.hash) ? written_.sagas : written_.streams);
    any = true;
    last = entry.hash;
    put_64(page, entry.hash);
    put_32(page, entry.frame);
    if (page.size() == page_entries * entry_bytes) end_page();
  });
  end_page();
}

Writer::Written Writer::finish() {
  end_frame();
  write_index();
  directory_.set_events(written_.events);
  directory_.set_sagas(written_.sagas);
  directory_.set_streams(written_.streams);
  write(skippable(directory_magic, packer_.pack(directory_.SerializeAsString())), 0);
  put_32(seek_table_, frames_);
  seek_table_ += '\0';  // no checksums in here: the frames have theirs
  put_32(seek_table_, seekable_magic);
  const auto table = skippable(seek_table_magic, seek_table_);
  output_ << table;
  written_.bytes += table.size();
  output_.close();
  if (!output_) throw std::runtime_error(file_.string() + " cannot be written: is there space?");
  std::filesystem::rename(unfinished_, file_);
  return written_;
}

}  // namespace quadrille::archive
