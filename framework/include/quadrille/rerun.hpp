#pragma once

#include "quadrille/participant.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// Recorded sagas as tests: `quadrille case export` writes a case file, this runs a participant's steps over it.
namespace quadrille::rerun {

/// What a participant does today where one recorded saga is handed to it again. Its steps run in memory, in the order,
/// at the times and with the holds of the record; neither the clock, nor a database, nor the outside is asked.
struct Rerun {
  std::string saga_id;
  bool same = false;  ///< every step says what was recorded, or what its saga had not come to when it was recorded
  std::string text;   ///< a line a step, and what differs; says why nothing could be run where that is so
};

/// One entry a case in the file. Throws std::runtime_error for a file that cannot be read or is damaged (the text names
/// the byte), Error(stop) where the participant's program would not start either. Not thread-safe for one participant.
[[nodiscard]] std::vector<Rerun> run(Participant& participant, const std::filesystem::path& file);

}  // namespace quadrille::rerun
