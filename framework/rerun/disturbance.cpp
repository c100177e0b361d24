#include "rerun/disturbance.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace quadrille::rerun {
namespace {

using Kind = Disturbance::Kind;

/// After which JetStream delivers again what was not acknowledged (ConsumerSpec::ack_wait).
constexpr std::chrono::seconds ack_wait{30};

std::string places(std::int64_t amount) { return std::to_string(amount) + (amount == 1 ? " place" : " places"); }

auto find(std::vector<Delivered>& deliveries, const std::string& id) {
  return std::ranges::find(deliveries, id, &Delivered::event_id);
}

/// Puts it at a place, at the time of what is there.
void insert_at(std::vector<Delivered>& deliveries, std::int64_t place, Delivered one) {
  const auto last = static_cast<std::int64_t>(deliveries.size());
  place = std::clamp<std::int64_t>(place, 0, last);
  if (last > 0) one.at = deliveries[static_cast<std::size_t>(std::min(place, last - 1))].at;
  deliveries.insert(deliveries.begin() + place, std::move(one));
}

void apply(const Disturbance& change, std::vector<Delivered>& deliveries) {
  const auto found = find(deliveries, change.event_id);
  if (found == deliveries.end()) return;
  const auto place = found - deliveries.begin();
  auto one = *found;
  switch (change.kind) {
    case Kind::moved:
      deliveries.erase(found);
      return insert_at(deliveries, place + change.amount, std::move(one));
    case Kind::twice:
      return insert_at(deliveries, place + 1 + change.amount, std::move(one));
    case Kind::lost:
      found->at += ack_wait;
      break;
    case Kind::late:
      found->at += std::chrono::milliseconds(change.amount);
      break;
  }
  std::ranges::stable_sort(deliveries, {}, &Delivered::at);
}

}  // namespace

std::vector<Disturbance> draw(const std::vector<Delivered>& deliveries, std::chrono::milliseconds latest,
                              std::mt19937_64& random) {
  // Not the distributions of the standard library, which differ from one to the other.
  const auto below = [&](std::uint64_t bound) { return bound == 0 ? 0 : static_cast<std::int64_t>(random() % bound); };
  constexpr std::uint64_t most = 4;
  constexpr std::uint64_t kinds = 4;
  std::vector<Disturbance> all(static_cast<std::size_t>(1 + below(most)));
  const auto count = deliveries.size();
  for (auto& one : all) {
    one.kind = static_cast<Kind>(below(kinds));
    one.event_id = deliveries[static_cast<std::size_t>(below(count))].event_id;
    if (one.kind == Kind::moved) {
      const auto far = 1 + below(count);
      one.amount = below(2) == 0 ? far : -far;
    } else if (one.kind == Kind::twice) {
      one.amount = below(count);
    } else if (one.kind == Kind::late) {
      // As often between a millisecond and two as between an hour and two.
      const auto longest = static_cast<std::uint64_t>(latest.count());
      one.amount =
          1 + below(longest >> static_cast<unsigned>(below(static_cast<std::uint64_t>(std::bit_width(longest)))));
    }
  }
  return all;
}

std::vector<Delivered> disturb(std::vector<Delivered> deliveries, const std::vector<Disturbance>& all) {
  for (const auto& one : all) apply(one, deliveries);
  return deliveries;
}

std::string text(const Disturbance& one, const std::vector<Delivered>& deliveries) {
  const auto found = std::ranges::find(deliveries, one.event_id, &Delivered::event_id);
  const auto event = found == deliveries.end() ? one.event_id : found->type;
  switch (one.kind) {
    case Kind::moved:
      return event + " comes " + places(std::abs(one.amount)) + (one.amount < 0 ? " earlier" : " later");
    case Kind::twice:
      return event + " comes again" + (one.amount == 0 ? " at once" : " " + places(one.amount) + " later");
    case Kind::lost:
      return event + " is lost and comes " + std::to_string(ack_wait.count()) + " s later";
    case Kind::late:
      return event + " comes " + std::to_string(one.amount) + " ms later";
  }
  return event;
}

}  // namespace quadrille::rerun
