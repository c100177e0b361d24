#pragma once

#include "core/event.hpp"
#include "quadrille/casefile/v1/archive.pb.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::archive {

/// What was found where something else should be.
struct Fault {
  std::uint64_t offset = 0;
  std::string what;
};

struct Scan {
  std::optional<casefile::v1::ArchiveHeader> header;
  std::uint64_t bytes = 0;
  std::uint64_t frames = 0;   ///< whole ones with data
  std::uint64_t events = 0;   ///< in them
  std::vector<Fault> faults;  ///< the first thousand
};

/// Reads every byte from the front, without trusting the index, hands over what is whole, and looks behind what is not.
/// Where the file has no fault of its own, the index is held against what was read. Throws std::runtime_error where the
/// file cannot be opened.
Scan scan(const std::filesystem::path& file, const std::function<void(const Event&)>& take);

}  // namespace quadrille::archive
