#include "runtime/relay.hpp"

#include "core/envelope.hpp"
#include "quadrille/error.hpp"
#include "runtime/fault_point.hpp"
#include "runtime/polling_source.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace quadrille::runtime {
namespace {

constexpr std::chrono::milliseconds between_tries{10};
constexpr std::chrono::milliseconds between_lease_looks{200};

}  // namespace

Relay::Relay(Store& store, OutboxSource& source, Broker& broker, const LeaseKeeper& leases, const telemetry::Log& log,
             Stopper& stopper, Settings settings)
    : store_(store),
      source_(source),
      broker_(broker),
      leases_(leases),
      log_(log),
      stopper_(stopper),
      settings_(settings) {
  source_.on_more([this] { ring(); });
  if (settings_.drive == Drive::steps) return;
  worker_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
  listener_ = std::jthread([this](const std::stop_token& stopping) { listen(stopping); });
}

Relay::~Relay() {
  listener_.request_stop();
  end_work();
}

void Relay::end_work() {
  worker_.request_stop();
  if (worker_.joinable()) worker_.join();
  source_.release();
}

void Relay::wake() {
  if (!leases_.held(lease_name)) {
    store_.ring();
    return;
  }
  ring();
}

void Relay::ring() {
  const std::scoped_lock lock(mutex_);
  rung_ = true;
  bell_.notify_all();
}

bool Relay::drain(std::chrono::milliseconds longest) {
  const auto end = std::chrono::steady_clock::now() + longest;
  end_work();
  PollingSource rest(store_);  // whatever the source has seen of it, the outbox has all that is left
  try {
    while (leases_.held(lease_name) && std::chrono::steady_clock::now() < end) {
      if (pass(rest)) continue;
      if (failures_ == 0 && published_.empty()) break;  // empty, or somebody else's now
      std::this_thread::sleep_for(between_tries);       // the broker is away, or a commit cannot be seen yet
    }
    return rest.take(1).empty();
  } catch (const Error& error) {
    log_.warn(std::string("outbox not drained, the next start goes on: ") + error.what());
    return false;
  }
}

void Relay::run(const std::stop_token& stopping) {
  while (!stopping.stop_requested()) {
    const auto pause = step();
    if (!pause) return;
    if (pause->count() > 0) wait(stopping, *pause);
  }
}

std::optional<std::chrono::milliseconds> Relay::step() {
  settings_.beat();
  try {
    if (pass(source_)) return std::chrono::milliseconds(0);
    if (failures_ > 0) return settings_.backoff.delay(failures_);
    if (!published_.empty()) return between_tries;
    if (leases_.held(lease_name)) return settings_.slow_poll;
    return std::min(settings_.slow_poll, between_lease_looks);  // nobody rings when it becomes ours
  } catch (const Error& error) {
    if (error.disposition() == Disposition::stop) {
      stopper_.stop_because(error.what());
      return std::nullopt;
    }
    log_.warn(std::string("relay: ") + error.what());
    return settings_.backoff.delay(++failures_);
  }
}

void Relay::listen(const std::stop_token& stopping) {
  // Other processes of this participant ring when they commit; only the active relay cares.
  constexpr std::chrono::milliseconds between_looks_at_stopping{100};
  while (!stopping.stop_requested()) {
    try {
      if (store_.await_ring(between_looks_at_stopping) && leases_.held(lease_name)) wake();
    } catch (const Error& error) {
      log_.debug(std::string("cannot hear other processes, polling instead: ") + error.what());
      std::unique_lock lock(mutex_);
      bell_.wait_for(lock, stopping, settings_.slow_poll, [] { return false; });
    }
  }
}

void Relay::wait(const std::stop_token& stopping, std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  bell_.wait_for(lock, stopping, longest, [this] { return rung_ && failures_ == 0; });
  rung_ = false;
}

bool Relay::pass(OutboxSource& source) {
  const auto lease = leases_.held(lease_name);
  if (!lease) {
    published_.clear();
    source.release();
    return false;
  }
  auto entries = source.take(settings_.batch);
  const bool there_may_be_more = entries.size() == settings_.batch;
  std::erase_if(entries, [this](const auto& entry) { return published_.contains(entry.position); });
  const auto stored = publish(entries);
  published_.insert(stored.begin(), stored.end());
  if (!published_.empty()) {
    fault_point(FaultPoint::published);
    const std::vector<std::uint64_t> positions(published_.begin(), published_.end());
    if (!remove(positions, *lease)) {
      published_.clear();  // fenced: the new owner goes on
      source.release();
      return false;
    }
    fault_point(FaultPoint::removed);
    source.settle(positions);
  }
  failures_ = entries.empty() || !stored.empty() ? 0 : failures_ + 1;
  return !stored.empty() && (there_may_be_more || stored.size() < entries.size());
}

bool Relay::remove(std::span<const std::uint64_t> positions, const Lease& lease) {
  const auto removed = store_.remove_published(positions, lease, leases_.owner());
  if (!removed) return false;
  for (const auto position : *removed) published_.erase(position);
  return true;
}

std::vector<std::uint64_t> Relay::publish(const std::vector<Outbox::Entry>& entries) {
  // Waves: the first event of every stream, then the second of those whose first is stored, and so on.
  std::map<StreamName, std::vector<const Outbox::Entry*>> streams;
  for (const auto& entry : entries) streams[entry.event.stream].push_back(&entry);
  std::vector<std::uint64_t> stored;
  for (std::size_t wave = 0; !streams.empty(); ++wave) {
    std::vector<Message> messages;
    std::vector<std::map<StreamName, std::vector<const Outbox::Entry*>>::iterator> senders;
    for (auto stream = streams.begin(); stream != streams.end();) {
      if (wave >= stream->second.size()) {
        stream = streams.erase(stream);
        continue;
      }
      messages.push_back(to_message(stream->second[wave]->event));
      senders.push_back(stream++);
    }
    if (messages.empty()) break;
    const auto answers = broker_.publish(messages);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const auto& event = senders[i]->second[wave]->event;
      if (answers[i] == Published::refused)
        throw Error(Disposition::stop, "the broker forbids participant " + event.source + " to publish " +
                                           event.subject + "; grant it publish permission for evt.*." + event.source +
                                           ".>");
      if (answers[i] == Published::stored)
        stored.push_back(senders[i]->second[wave]->position);
      else
        streams.erase(senders[i]);  // unknown: nothing newer of this stream before it
    }
  }
  return stored;
}

}  // namespace quadrille::runtime
