#pragma once

#include "core/event.hpp"
#include "core/store.hpp"
#include "simulation/books.hpp"
#include "testing/saga_state.hpp"
#include "testing/witness.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace simulation {

/// What all participants have committed, and what was found wrong with it.
struct History {
  std::map<std::string, quadrille::Event> events;        ///< by id
  std::map<std::string, quadrille::testing::Said> said;  ///< by saga
  std::vector<std::string> findings;

  void find(const std::string& what) { findings.push_back(what); }
};

/// What one participant's transactions have done, and the rules each has to keep. One transaction at a time, as in the
/// store in memory.
class Ledger {
 public:
  Ledger(std::string participant, History& history) : participant_(std::move(participant)), history_(history) {}

  /// What the transaction under way has done.
  struct Work {
    std::vector<std::string> claimed;  ///< message ids, new ones
    std::set<std::string> put_to_wait;
    std::vector<std::string> done_waiting;
    std::vector<quadrille::Event> said;
    std::vector<quadrille::testing::StepRun> runs;
    bool outbox_removed = false;
    Books books;  ///< as they are after it
  };
  Books books;
  Work work;
  std::map<std::pair<std::string, std::string>, std::uint64_t> epochs;  ///< owner, lease: as it was given last

  /// What has to hold within the transaction that is about to be committed by `owner`; empty: no instance.
  void check(quadrille::Transaction& transaction, const std::string& owner);
  /// It took effect.
  void committed();
  [[nodiscard]] bool handled(const quadrille::Event& event) const;

 private:
  void check_lease(quadrille::Leases& leases, const std::string& owner, const std::string& lease);
  void handle(const std::vector<std::string>& message_ids);

  const std::string participant_;
  History& history_;
  std::set<std::string> ever_claimed_;
  std::map<quadrille::StreamName, std::uint64_t> handled_;               ///< everything up to this version
  std::set<std::tuple<std::string, std::string, std::string>> effects_;  ///< step, what started it, saga
};

}  // namespace simulation
