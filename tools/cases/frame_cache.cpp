#include "cases/frame_cache.hpp"

#include <algorithm>

namespace quadrille::cases {
namespace {

constexpr std::size_t most_frames = 32;

}  // namespace

std::shared_ptr<const FrameCache::Frame> FrameCache::at(std::uint32_t number) {
  const auto known = std::ranges::find(newest_first_, number, [](const auto& entry) { return entry.first; });
  if (known != newest_first_.end()) {
    newest_first_.splice(newest_first_.begin(), newest_first_, known);
    return known->second;
  }
  auto frame = std::make_shared<Frame>();
  frame->events = archive_.frame(number);
  for (std::size_t i = 0; i < frame->events.size(); ++i) {
    frame->by_saga[frame->events[i].saga_id].push_back(i);
    frame->by_stream[frame->events[i].stream.text()].push_back(i);
  }
  newest_first_.emplace_front(number, std::move(frame));
  if (newest_first_.size() > most_frames) newest_first_.pop_back();
  return newest_first_.front().second;
}

std::vector<Event> FrameCache::pick(std::uint64_t hash, const Places Frame::*places, const std::string& name) {
  std::vector<Event> events;
  for (const auto number : archive_.frames_of(hash)) {
    const auto frame = at(number);
    const auto found = ((*frame).*places).find(name);
    if (found == ((*frame).*places).end()) continue;
    for (const auto place : found->second) events.push_back(frame->events[place]);
  }
  return events;
}

std::uint32_t FrameCache::first_of(const std::string& saga_id) {
  const auto frames = archive_.frames_of(archive::saga_hash(saga_id));  // another one may have the same hash
  return *std::ranges::find_if(frames, [&](std::uint32_t number) { return at(number)->by_saga.contains(saga_id); });
}

std::vector<Event> FrameCache::saga(const std::string& saga_id) {
  return pick(archive::saga_hash(saga_id), &Frame::by_saga, saga_id);
}

std::vector<Event> FrameCache::stream(const StreamName& name) {
  return pick(archive::stream_hash(name.text()), &Frame::by_stream, name.text());
}

}  // namespace quadrille::cases
