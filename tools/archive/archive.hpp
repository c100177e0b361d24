#pragma once

#include "archive/format.hpp"
#include "archive/frames.hpp"
#include "core/event.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::archive {

/// Events recorded at `from` or later and before `to`.
struct Window {
  std::optional<TimePoint> from;
  std::optional<TimePoint> to;

  [[nodiscard]] bool has(TimePoint time) const { return (!from || time >= *from) && (!to || time < *to); }
  [[nodiscard]] bool is_open() const { return !from && !to; }
};

/// An archive opened for reading. What it hands over is checked; what is damaged throws BadArchive, with the place of
/// the frame. Immutable; thread-safe. Its methods read from the file.
class Archive {
 public:
  explicit Archive(const std::filesystem::path& file);

  [[nodiscard]] const casefile::v1::ArchiveHeader& header() const { return header_; }
  [[nodiscard]] const casefile::v1::Directory& directory() const { return directory_; }
  [[nodiscard]] std::uint64_t bytes() const { return file_.bytes().size(); }

  /// All events, in the order in which they were archived. Frames outside of the window are not read.
  void read(const Window& window, const std::function<void(const Event&)>& take) const;
  /// In their order; empty where there is none. Reads the frames that hold some.
  [[nodiscard]] std::vector<Event> saga(const std::string& saga_id) const;
  [[nodiscard]] std::vector<Event> stream(const StreamName& name) const;

  /// Numbers of the frames in which to look, ascending.
  [[nodiscard]] std::vector<std::uint32_t> frames_of(std::uint64_t hash) const;
  /// The events of one frame.
  [[nodiscard]] std::vector<Event> frame(std::uint32_t number) const;
  [[nodiscard]] std::uint32_t frames() const { return static_cast<std::uint32_t>(directory_.frame_size()); }

 private:
  [[nodiscard]] std::string_view bytes_of(std::size_t frame) const;
  [[nodiscard]] std::string_view page(std::size_t number) const;
  void each(std::uint32_t frame, const std::function<void(const casefile::v1::RecordedEvent&)>& take) const;
  [[noreturn]] void fail(std::size_t frame, const std::string& what) const;

  const std::string name_;
  const MappedFile file_;
  FrameTable table_;
  casefile::v1::ArchiveHeader header_;
  casefile::v1::Directory directory_;
};

}  // namespace quadrille::archive
