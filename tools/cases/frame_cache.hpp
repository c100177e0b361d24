#pragma once

#include "archive/archive.hpp"

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace quadrille::cases {

/// The frames of an archive that were read last, unpacked: sagas that begin one after the other are in few frames.
/// Keeps a few dozen of them, whatever the size of the archive. Used by one thread; the archive outlives it.
class FrameCache {
 public:
  explicit FrameCache(const archive::Archive& archive) : archive_(archive) {}

  struct Frame {
    std::vector<Event> events;
    std::unordered_map<std::string, std::vector<std::size_t>> by_saga;    ///< places among the events
    std::unordered_map<std::string, std::vector<std::size_t>> by_stream;  ///< by its name
  };
  [[nodiscard]] std::shared_ptr<const Frame> at(std::uint32_t number);
  /// The first frame that holds some of the saga; that there is one is known.
  [[nodiscard]] std::uint32_t first_of(const std::string& saga_id);
  [[nodiscard]] std::vector<Event> saga(const std::string& saga_id);
  [[nodiscard]] std::vector<Event> stream(const StreamName& name);

 private:
  using Places = std::unordered_map<std::string, std::vector<std::size_t>>;
  std::vector<Event> pick(std::uint64_t hash, const Places Frame::*places, const std::string& name);

  const archive::Archive& archive_;
  std::list<std::pair<std::uint32_t, std::shared_ptr<const Frame>>> newest_first_;
};

}  // namespace quadrille::cases
