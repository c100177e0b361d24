#pragma once

#include "core/store.hpp"
#include "simulation/flaw.hpp"
#include "simulation/ledger.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace simulation {

/// Stands between the loops and a store: enters in the ledger what they do, and breaks a promise where it is told to.
class WatchedStore final : public quadrille::Store {
 public:
  /// `owner`: of the leases of the instance that acts; empty: none does.
  WatchedStore(quadrille::Store& inner, Ledger& ledger, const History& history, Flaw flaw,
               std::function<std::string()> owner)
      : inner_(inner), ledger_(ledger), history_(history), flaw_(flaw), owner_(std::move(owner)) {}

  [[nodiscard]] std::unique_ptr<quadrille::Transaction> begin() override;
  void ring() override { inner_.ring(); }
  bool await_ring(std::chrono::milliseconds longest) override { return inner_.await_ring(longest); }
  void maintain() override { inner_.maintain(); }

 private:
  friend class WatchedTransaction;

  quadrille::Store& inner_;
  Ledger& ledger_;
  const History& history_;
  const Flaw flaw_;
  const std::function<std::string()> owner_;
};

}  // namespace simulation
