#pragma once

#include "core/outbox_source.hpp"

namespace quadrille::runtime {

/// Reads the outbox itself.
class PollingSource final : public OutboxSource {
 public:
  explicit PollingSource(Store& store) : store_(store) {}

  void on_more(std::function<void()>) override {}  // the bells of commits are enough
  [[nodiscard]] std::vector<Outbox::Entry> take(std::size_t limit) override {
    return store_.begin()->outbox().oldest(limit);
  }
  void settle(std::span<const std::uint64_t>) override {}
  void release() override {}
  [[nodiscard]] std::optional<std::uint64_t> lag_bytes() override { return std::nullopt; }

 private:
  Store& store_;
};

}  // namespace quadrille::runtime
