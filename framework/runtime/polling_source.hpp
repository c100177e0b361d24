#pragma once

#include "core/outbox_source.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace quadrille::runtime {

/// Reads the outbox itself.
class PollingSource final : public OutboxSource {
 public:
  using Lag = std::function<std::optional<std::uint64_t>()>;

  /// `lag`: of a log that is kept although nobody reads it.
  explicit PollingSource(
      Store& store, Lag lag = [] { return std::nullopt; })
      : store_(store), lag_(std::move(lag)) {}

  void on_more(std::function<void()>) override {}  // the bells of commits are enough
  [[nodiscard]] std::vector<Outbox::Entry> take(std::size_t limit) override {
    return store_.begin()->outbox().oldest(limit);
  }
  void settle(std::span<const std::uint64_t>) override {}
  void release() override {}
  [[nodiscard]] std::optional<std::uint64_t> lag_bytes() override { return lag_(); }

 private:
  Store& store_;
  const Lag lag_;
};

}  // namespace quadrille::runtime
