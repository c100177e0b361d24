#pragma once

#include "core/store.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>

namespace quadrille::runtime {

/// The fence of one consumer in one transaction: lets each stream's versions pass once and in order.
class Gate {
 public:
  enum class Verdict {
    next,    ///< handle it
    old,     ///< its version was applied or passed already
    gap,     ///< older versions are missing
    behind,  ///< an older message of the stream waits
  };

  /// Of what was read of the streams, and locked, in this transaction.
  Gate(Inbox& inbox, std::string consumer, std::map<StreamName, std::uint64_t> applied, std::set<StreamName> waiting);
  /// Locks the streams' positions until the transaction ends.
  Gate(Inbox& inbox, std::string consumer, std::span<const StreamName> streams);

  [[nodiscard]] Verdict judge(const StreamName& stream, std::uint64_t version) const;
  /// No version of the stream was ever applied.
  [[nodiscard]] bool first_sight(const StreamName& stream) const { return !applied_.contains(stream); }
  void pass(const StreamName& stream, std::uint64_t version);
  /// A message of the stream waits from now on.
  void hold_back(const StreamName& stream) { waiting_.insert(stream); }
  /// The message that waits at the head of the stream is being judged itself.
  void release(const StreamName& stream) { waiting_.erase(stream); }
  /// Writes the positions that have moved.
  void store();

 private:
  Inbox& inbox_;
  std::string consumer_;
  std::map<StreamName, std::uint64_t> applied_;
  std::set<StreamName> waiting_;
  std::map<StreamName, std::uint64_t> moved_;
};

}  // namespace quadrille::runtime
