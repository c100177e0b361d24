#pragma once

#include "core/event.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::tracker {

/// An event and where the broker's stream has it.
struct Recorded {
  Event event;
  std::uint64_t sequence = 0;
};

/// Every event of one saga id, each once, in the order in which they came. Payloads are kept of what the framework says
/// (StepStuck and its like); those of business events stay at the broker.
class Trail {
 public:
  explicit Trail(std::string saga_id) : saga_id_(std::move(saga_id)) {}

  enum class Added {
    event,     ///< it is new
    sequence,  ///< it was known at another place of the stream: that was made anew
    nothing,
  };
  Added add(const Recorded& recorded);

  [[nodiscard]] const std::string& saga_id() const { return saga_id_; }
  [[nodiscard]] const std::vector<Recorded>& events() const { return events_; }

  /// As bytes for a database, and back. unpack throws Error(stop) for what is none.
  [[nodiscard]] std::string pack() const;
  [[nodiscard]] static Trail unpack(std::string_view bytes);

 private:
  std::string saga_id_;
  std::vector<Recorded> events_;
};

/// The framework says it of a saga; no part of the declared flow.
[[nodiscard]] bool is_supervision(const Event& event);

}  // namespace quadrille::tracker
