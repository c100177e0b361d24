#include "tracker/fold.hpp"

#include "core/envelope.hpp"

#include <algorithm>

namespace quadrille::tracker {
namespace {

constexpr std::size_t batch = 2'000;
/// An ordered consumer that its server has lost says nothing. Longer than any pause of a living one.
constexpr std::chrono::seconds silence{5};
constexpr std::chrono::minutes between_forgetting{10};

}  // namespace

Fold::Fold(const EngineSettings& settings, std::shared_ptr<Tables> tables, Choreographies& choreographies,
           Census* census)
    : keep_finished_(settings.keep_finished),
      tables_(std::move(tables)),
      projection_(*tables_, choreographies, census),
      follower_(settings.nats, Topology{}.stream, "evt.>") {}

/// Where the tables are, if the stream is still the one they were filled from.
void Fold::start() {
  const auto stream = follower_.look();
  if (!stream) throw Error(Disposition::retry, "the broker does not answer");
  stream_created_ = stream->created;
  stream_last_ = stream->last;
  const auto& position = projection_.position();
  // A stream that was restored from a backup may be shorter than what was read of it.
  const bool same = position.stream_created == stream->created && position.sequence <= stream->last;
  read_up_to_ = same ? position.sequence : 0;
  follower_.start_at(read_up_to_ + 1);
  heard_at_ = std::chrono::steady_clock::now();
  started_ = true;
}

bool Fold::step(std::chrono::milliseconds longest, TimePoint now) {
  if (!started_) start();
  const auto deliveries = follower_.receive(batch, longest);
  if (deliveries.empty()) return false;
  heard_at_ = std::chrono::steady_clock::now();
  std::vector<Recorded> events;
  events.reserve(deliveries.size());
  for (const auto& delivery : deliveries) {
    try {
      events.push_back({to_event(delivery.message), delivery.sequence});
    } catch (const Error&) {
      continue;  // not one of ours; its consumers have parked it
    }
  }
  read_up_to_ = deliveries.back().sequence;
  if (!projection_.take(events, {read_up_to_, stream_created_}, now)) {
    started_ = false;
    return false;
  }
  if (!events.empty()) newest_recorded_ = events.back().event.recorded_at;
  return true;
}

std::optional<std::uint64_t> Fold::look(TimePoint now) {
  while (projection_.judge_again(now)) {
  }
  while (projection_.sweep(now)) {
  }
  if (now >= next_forgetting_) {
    projection_.forget(now - keep_finished_);
    next_forgetting_ = now + between_forgetting;
  }
  const auto stream = follower_.look();
  if (!stream) return std::nullopt;
  stream_last_ = stream->last;
  const bool lost = read_up_to_ < stream->last && std::chrono::steady_clock::now() - heard_at_ > silence;
  if (stream->created != stream_created_ || lost) started_ = false;
  return stream->last;
}

bool Fold::has_caught_up_with(const Fold& other) const {
  return started_ && other.started_ && stream_created_ == other.stream_created_ &&
         position().sequence >= other.position().sequence;
}

std::chrono::milliseconds Fold::lag(TimePoint now) const {
  if (follower_.drained() || newest_recorded_ == TimePoint{}) return std::chrono::milliseconds(0);
  return std::max(std::chrono::milliseconds(0),
                  std::chrono::duration_cast<std::chrono::milliseconds>(now - newest_recorded_));
}

}  // namespace quadrille::tracker
