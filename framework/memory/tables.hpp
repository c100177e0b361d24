#pragma once

#include "core/store.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

/// Private to this folder.
namespace quadrille::memory {

/// Everything a MemoryStore remembers: plain values, copied for a transaction and put back at its commit.
struct Tables {
  std::vector<std::shared_ptr<const Event>> events;        ///< by position, from 1; never changed, so shared
  std::map<StreamName, std::vector<std::size_t>> streams;  ///< positions
  std::set<std::uint64_t> outbox;
  std::set<std::pair<std::string, std::string>> inbox;  ///< consumer, message id
  std::map<std::pair<std::string, StreamName>, std::uint64_t> applied;
  std::map<std::pair<std::string, std::string>, WaitingMessage> waiting;
  std::map<std::string, std::string> beginnings;  ///< durable, when it was made
  std::map<std::string, Deadline> deadlines;
  std::map<std::string, Quantities::Quantity> quantities;
  std::map<std::pair<std::string, std::string>, Quantities::Hold> holds;  ///< resource, holder
  struct LeaseRow {
    std::string owner;
    std::uint64_t epoch = 0;
    TimePoint expires_at{};
  };
  std::map<std::string, LeaseRow> leases;
  struct KeyRow {
    IdempotencyKeys::Entry entry;
    TimePoint expires_at{};
  };
  std::map<std::pair<std::string, std::string>, KeyRow> keys;  ///< scope, key
  std::vector<AuditTrail::Entry> audit;
  std::string refused_key;  ///< a fault of the test
};

}  // namespace quadrille::memory
