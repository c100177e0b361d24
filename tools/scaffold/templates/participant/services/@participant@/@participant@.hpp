#pragma once

#include "@project@/@participant@/v1/@participant@_events.pb.h"

#include <string>

namespace @project@::@participant@ {

/// What @participant@ knows of one @key_noun@, folded from its own events.
struct @Participant@ {
  std::string last;  ///< name of the newest event
};

}  // namespace @project@::@participant@
