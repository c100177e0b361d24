#include "runtime/database_probe.hpp"

#include "core/redact.hpp"
#include "core/time_text.hpp"
#include "core/timestamp.hpp"
#include "core/utf8.hpp"
#include "quadrille/error.hpp"
#include "runtime/supervision.hpp"

#include <utility>

namespace quadrille::runtime {
namespace {

constexpr std::uint64_t most_counted = 100'000;

}  // namespace

DatabaseProbe::DatabaseProbe(std::string participant, Store& store, OutboxSource& source)
    : participant_(std::move(participant)), store_(store), source_(source) {
  thread_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
}

DatabaseProbe::~DatabaseProbe() {
  thread_.request_stop();
  thread_.join();
}

DatabaseProbe::Result DatabaseProbe::look(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  const auto ours = begun_ + 1;
  wanted_ = ours;
  bell_.notify_all();
  if (bell_.wait_for(lock, longest, [&] { return done_ >= ours; })) return last_;
  return {"the database has not answered within " + duration_text(longest), {}};
}

void DatabaseProbe::run(const std::stop_token& stopping) {
  for (std::unique_lock lock(mutex_); bell_.wait(lock, stopping, [this] { return wanted_ > begun_; });) {
    ++begun_;
    lock.unlock();
    auto result = measure();
    lock.lock();
    last_ = std::move(result);
    done_ = begun_;
    bell_.notify_all();
  }
}

DatabaseProbe::Result DatabaseProbe::measure() const {
  try {
    control::v1::Database found;
    if (const auto lag = source_.lag_bytes()) found.set_slot_lag_bytes(*lag);
    const auto transaction = store_.begin();
    const auto outbox = transaction->outbox().backlog(most_counted);
    found.set_outbox_pending(outbox.entries);
    if (outbox.oldest) *found.mutable_outbox_oldest() = to_timestamp(*outbox.oldest);
    for (const auto& count : transaction->inbox().count_waiting(participant_, most_counted)) {
      auto& waiting = *found.add_waiting();
      waiting.set_state(static_cast<control::v1::WaitingState>(count.state));
      waiting.set_stuck(count.stuck);
      waiting.set_reason_class(static_cast<v1::ReasonClass>(count.reason_class));
      waiting.set_messages(count.messages);
    }
    const auto deadlines = transaction->deadlines().backlog(most_counted);
    found.set_deadlines_open(deadlines.entries);
    if (deadlines.oldest) *found.mutable_deadline_oldest() = to_timestamp(*deadlines.oldest);
    return {"ok", found};
  } catch (const std::exception& error) {
    return {to_text(without_password(error.what())), {}};
  }
}

}  // namespace quadrille::runtime
