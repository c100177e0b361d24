#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace quadrille::admin {

/// What is stuck at one participant, and what a person does about it. Each act is one transaction with its entry in the
/// audit trail; the running service takes it from there.
class Parked {
 public:
  /// `who` stands in the audit trail.
  Parked(Store& store, const Clock& clock, std::string participant, std::string who)
      : store_(store), clock_(clock), participant_(std::move(participant)), who_(std::move(who)) {}

  /// The oldest first.
  [[nodiscard]] std::vector<WaitingMessage> list();
  [[nodiscard]] std::optional<WaitingMessage> find(const std::string& message_id);
  /// Lets the service try it again now, with all its patience. What stands behind it goes on waiting until it is
  /// handled. False when no such message is stuck.
  [[nodiscard]] bool retry(const std::string& message_id, const std::string& why);
  /// Retries what is stuck for a reason that has `text` in it; the ids.
  [[nodiscard]] std::vector<std::string> retry_all(const std::string& text);
  /// Takes it out for good, unhandled: its stream goes on behind it. False when no such message is stuck. Throws
  /// Error(park) when an older message of its stream waits: that would be lost with it.
  [[nodiscard]] bool discard(const std::string& message_id, const std::string& because);

 private:
  void note(Transaction& transaction, const std::string& act, const std::string& message_id, const std::string& why);

  Store& store_;
  const Clock& clock_;
  std::string participant_;
  std::string who_;
};

}  // namespace quadrille::admin
