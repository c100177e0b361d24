#include "core/store.hpp"

namespace quadrille {

BatchStart Transaction::start_batch(const BatchStart::Question& question) {
  BatchStart start{.leases_held = leases().verify(question.leases, question.owner)};
  if (!start.leases_held) return start;
  start.claimed = inbox().claim(question.consumer, question.keys);
  start.applied = inbox().applied(question.consumer, question.heard);
  start.waiting = inbox().waiting_streams(question.consumer, question.heard);
  start.histories = events().load(question.aggregates);
  return start;
}

std::optional<std::vector<std::uint64_t>> Store::remove_published(std::span<const std::uint64_t> positions,
                                                                  const Lease& lease, std::string_view owner) {
  const auto transaction = begin();
  if (!transaction->leases().verify(std::span(&lease, 1), owner)) return std::nullopt;
  auto removed = transaction->outbox().remove(positions);
  transaction->commit();
  return removed;
}

}  // namespace quadrille
