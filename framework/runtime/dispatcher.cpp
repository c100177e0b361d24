#include "runtime/dispatcher.hpp"

#include "core/subject.hpp"
#include "quadrille/error.hpp"
#include "runtime/fault_point.hpp"
#include "runtime/step_failed.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace quadrille::runtime {

std::string lane_lease(std::uint32_t lane) { return "lane-" + std::to_string(lane); }

Dispatcher::Dispatcher(const Part& part, Store& store, Broker& broker, Relay& relay, const LeaseKeeper& leases,
                       const RetryPolicy& retry, const Clock& clock, const telemetry::Log& log,
                       telemetry::Instruments& instruments, Stopper& stopper, Settings settings)
    : part_(part),
      store_(store),
      relay_(relay),
      leases_(leases),
      retry_(retry),
      clock_(clock),
      log_(log),
      instruments_(instruments),
      stopper_(stopper),
      settings_(settings),
      handler_(part, log),
      beginning_(part, store, broker, log),
      waiting_room_(part, store, beginning_, handler_, retry, clock, log, instruments.metrics, settings.limits),
      receiver_(broker.receiver()) {
  if (settings_.drive == Drive::threads)
    thread_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
}

Dispatcher::~Dispatcher() = default;  // its thread ends first

void Dispatcher::run(const std::stop_token& stopping) {
  while (!stopping.stop_requested()) {
    const auto length = step(stopping);
    if (!length) return;
    pause(*length, {}, stopping);
  }
}

std::optional<std::chrono::milliseconds> Dispatcher::step(const std::stop_token& stopping) {
  try {
    turn(stopping);
    failures_ = 0;
    return std::chrono::milliseconds(0);
  } catch (const Error& error) {
    if (error.disposition() == Disposition::stop) {
      stopper_.stop_because(error.what());
      return std::nullopt;
    }
    log_.warn(std::string("dispatcher: ") + error.what());
    return settings_.backoff.delay(++failures_);
  }
}

void Dispatcher::turn(const std::stop_token& stopping) {
  instruments_.heartbeats.beat(telemetry::Loop::dispatcher);
  beginning_.note();
  follow_leases();
  auto deliveries = receiver_->receive(settings_.batch, settings_.poll);
  if (!deliveries.empty()) {
    show_pending(deliveries);
    handle(std::move(deliveries), stopping);
  }
  // Looking costs a transaction: at once where it can be of use, else now and then for what becomes due.
  if (somebody_waits_ || clock_.steady() >= next_look_) work_off_waiting_room();
}

bool Dispatcher::follow_leases() {
  std::vector<Lease> lanes;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane)
    if (const auto lease = leases_.held(lane_lease(lane))) lanes.push_back(*lease);
  const bool same = std::ranges::equal(
      lanes, lanes_, [](const Lease& a, const Lease& b) { return a.name == b.name && a.epoch == b.epoch; });
  if (same) return false;
  lanes_ = std::move(lanes);
  std::vector<std::string> consumers;
  std::map<std::string, std::map<std::string, std::uint64_t>> pending;
  for (const auto& context : part_.declared().hears) {
    auto& of_context = pending[context];
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
      if (std::ranges::find(lanes_, lane_lease(lane), &Lease::name) == lanes_.end()) continue;
      consumers.push_back(consumer_name(part_.name(), context, lane));
      of_context[consumers.back()] = pending_[context][consumers.back()];
    }
  }
  pending_ = std::move(pending);
  show_pending({});
  receiver_->listen(std::move(consumers));
  return true;
}

void Dispatcher::show_pending(const std::vector<Delivery>& deliveries) {
  for (auto& [context, by_consumer] : pending_) {
    for (const auto& delivery : deliveries)
      if (const auto found = by_consumer.find(delivery.consumer); found != by_consumer.end())
        found->second = delivery.pending;
    std::uint64_t sum = 0;
    for (const auto& [consumer, messages] : by_consumer) sum += messages;
    instruments_.metrics.set(telemetry::Gauge::consumer_pending, static_cast<double>(sum), {context});
  }
}

void Dispatcher::handle(std::vector<Delivery> deliveries, const std::stop_token& stopping) {
  std::optional<Batch> batch(std::in_place, part_, handler_, retry_, log_, deliveries);
  for (std::uint32_t failures = 0;;) {
    try {
      if (attempt(*batch)) break;
    } catch (const Error& error) {
      if (error.disposition() == Disposition::stop) throw;
      // The database is away, or the commit is in doubt: the same batch again meets its own inbox rows.
      log_.warn("batch of " + std::to_string(deliveries.size()) + " not committed, again: " + error.what());
      pause(settings_.backoff.delay(++failures), deliveries, stopping);
      if (stopping.stop_requested()) return receiver_->give_back(deliveries);
    }
    if (!follow_leases()) continue;
    give_back_what_is_others(deliveries);
    if (deliveries.empty()) return;
    batch.emplace(part_, handler_, retry_, log_, deliveries);
  }
  fault_point(FaultPoint::committed);
  receiver_->ack(deliveries);
  fault_point(FaultPoint::acknowledged);
  batch->tally().report(instruments_.metrics);
  instruments_.metrics.observe(telemetry::Histogram::batch_size, static_cast<double>(deliveries.size()));
  if (batch->recorded_anything()) relay_.wake();
  somebody_waits_ = somebody_waits_ || batch->put_to_wait();
}

void Dispatcher::give_back_what_is_others(std::vector<Delivery>& deliveries) {
  const auto others = std::ranges::stable_partition(deliveries, [this](const Delivery& delivery) {
    return std::ranges::any_of(pending_,
                               [&](const auto& context) { return context.second.contains(delivery.consumer); });
  });
  receiver_->give_back(std::span(others.begin(), others.end()));
  deliveries.erase(others.begin(), others.end());
}

bool Dispatcher::attempt(Batch& batch) {
  const telemetry::Stopwatch watch;
  const auto transaction = store_.begin();
  try {
    batch.run(*transaction, {lanes_, leases_.owner()}, settings_.limits, clock_.now());
  } catch (const StepFailed& failed) {
    batch.exclude(failed.index, failed.failure);
    return false;
  } catch (const VersionConflict& conflict) {
    instruments_.metrics.add(telemetry::Counter::version_conflicts);
    log_.debug(conflict.what());
    return false;
  }
  instruments_.metrics.observe(telemetry::Histogram::transaction_duration, watch.seconds(), {"batch"});
  return true;
}

void Dispatcher::work_off_waiting_room() {
  next_look_ = clock_.steady() + settings_.poll;
  somebody_waits_ = false;
  if (lanes_.empty()) return;  // a standby leaves it to the owner
  bool recorded = false;
  for (std::size_t i = 0; i < settings_.batch; ++i) {
    instruments_.heartbeats.beat(telemetry::Loop::dispatcher);
    const auto progress = waiting_room_.handle_next();
    recorded = recorded || progress == WaitingRoom::Progress::recorded;
    if (progress == WaitingRoom::Progress::nothing_due) break;
    somebody_waits_ = i + 1 == settings_.batch;  // there may be more
  }
  if (recorded) relay_.wake();
}

void Dispatcher::pause(std::chrono::milliseconds length, const std::vector<Delivery>& in_hand,
                       const std::stop_token& stopping) {
  // Wakes early to stop, and in time to keep what is in hand from being delivered again.
  const auto end = clock_.steady() + length;
  while (!stopping.stop_requested() && clock_.steady() < end) {
    instruments_.heartbeats.beat(telemetry::Loop::dispatcher);
    if (!in_hand.empty()) receiver_->keep(in_hand);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock_.steady());
    clock_.sleep(std::min({left, settings_.ack_wait / 3, std::chrono::milliseconds(100)}));
  }
}

}  // namespace quadrille::runtime
