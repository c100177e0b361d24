#pragma once

#include "core/event.hpp"
#include "quadrille/casefile/v1/case.pb.h"
#include "runtime/part.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::rerun {

/// Inbox and gate of a rerun: hands over what the broker delivers each message once and the versions of a stream in
/// their order, as runtime::Batch does. What was recorded because of something the participant said comes only once it
/// has said that again: nobody hears of what has not happened. Used by one thread; part and case outlive it.
class Arrivals {
 public:
  /// `deliveries`: everything that will be delivered; a version that is not among them holds back none.
  Arrivals(const runtime::Part& part, const casefile::v1::Case& one, const casefile::v1::Variation& deliveries);

  void deliver(const std::string& event_id);
  /// The participant has recorded this.
  void said(const Event& event);
  /// The id of the next one to be handled now; nothing when all that has come waits.
  [[nodiscard]] std::optional<std::string> next();

 private:
  /// A type that the participant records in a stream.
  using Saying = std::pair<std::string, StreamName>;
  /// What it has to have said before, how often; nothing where it led to nothing.
  [[nodiscard]] std::optional<std::pair<Saying, int>> follows_from(const std::string& event_id) const;
  [[nodiscard]] bool has_happened(const std::string& event_id) const;
  [[nodiscard]] bool is_own(const Event& event) const;

  const runtime::Part& part_;
  std::map<std::string, Event> events_;
  std::map<std::string, int> ordinal_;                      ///< of own events among those of their saying, from 1
  std::map<StreamName, std::deque<std::string>> in_order_;  ///< not handed over yet
  std::set<std::string> claimed_;
  std::vector<std::string> waiting_;
  std::map<Saying, int> said_;
};

}  // namespace quadrille::rerun
