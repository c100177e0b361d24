#pragma once

#include "archive/archive.hpp"
#include "core/event.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace quadrille::traffic {

/// Where recorded events are read from. One of them is set.
struct Source {
  std::string nats_url;
  std::string nats_credentials;
  std::string tls_ca;
  std::uint64_t first_sequence = 1;  ///< of the stream EVT
  std::string database_url;          ///< a participant's event store
  std::string file;                  ///< NDJSON, as traffic/ndjson.hpp has it
  bool any_order = false;            ///< a file's events come as it has them; else by time, all in memory at once
  std::string archive;               ///< archive/archive.hpp
  archive::Window window;            ///< only what was recorded then

  [[nodiscard]] bool is_set() const {
    return !nats_url.empty() || !database_url.empty() || !file.empty() || !archive.empty();
  }
  /// For people, without password.
  [[nodiscard]] std::string text() const;
};

/// Hands over every event of the source in its order. How many messages of a stream were no events, and were left out.
/// Throws quadrille::Error or std::runtime_error when the source cannot be read.
std::uint64_t read(const Source& source, const std::function<void(const Event&)>& take);

}  // namespace quadrille::traffic
