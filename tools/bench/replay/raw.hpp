#pragma once

#include "core/event.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// What the machine can do without us.
namespace quadrille::bench {

/// Messages of the stream EVT fetched by a pull consumer of nats.c and thrown away, as many as there are; seconds.
[[nodiscard]] double raw_fetch(const std::string& url, std::uint64_t messages);

/// The rows of quadrille.events by COPY, thrown away; seconds, and how many there were.
struct RawCopy {
  double seconds = 0;
  std::uint64_t rows = 0;
};
[[nodiscard]] RawCopy raw_copy(const std::string& conninfo);

}  // namespace quadrille::bench
