#include "republish/republisher.hpp"

#include "core/envelope.hpp"
#include "quadrille/error.hpp"
#include "republish/renew.hpp"

#include <algorithm>
#include <map>
#include <thread>
#include <utility>

namespace quadrille::republish {

void Republisher::add(Event event) {
  constexpr std::size_t most = 1'024;
  const auto now = Pace::Steady::now();
  const auto due = options_.pace.due(event.recorded_at, now);
  if (due > now || waiting_.size() == most) flush();
  std::this_thread::sleep_until(due);
  if (options_.salt) renew(event, *options_.salt);
  waiting_.push_back(std::move(event));
}

std::uint64_t Republisher::finish() {
  flush();
  return published_;
}

/// The broker may store the messages of one call in any order, so what has to come after something is in a later one.
void Republisher::flush() {
  std::map<std::string, std::size_t> of_event;
  std::map<StreamName, std::size_t> of_stream;
  std::vector<std::vector<Message>> waves;
  for (const auto& event : waiting_) {
    std::size_t wave = 0;
    if (const auto cause = of_event.find(event.causation_id); cause != of_event.end()) wave = cause->second + 1;
    if (const auto older = of_stream.find(event.stream); older != of_stream.end())
      wave = std::max(wave, older->second + 1);
    of_event[event.id] = of_stream[event.stream] = wave;
    if (waves.size() <= wave) waves.resize(wave + 1);
    auto message = to_message(event);
    if (!options_.prefix.empty()) message.subject = options_.prefix + "." + message.subject;
    waves[wave].push_back(std::move(message));
  }
  waiting_.clear();
  for (auto& wave : waves) publish(std::move(wave));
}

void Republisher::publish(std::vector<Message> messages) {
  constexpr int attempts = 5;
  for (int attempt = 0; attempt < attempts && !messages.empty(); ++attempt) {
    const auto answers = broker_.publish(messages);
    std::vector<Message> again;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      if (answers[i] == Published::refused)
        throw Error(Disposition::stop, "the server forbids to publish at " + messages[i].subject + "; " +
                                           std::to_string(published_) +
                                           " events are published. Use an identity that may (--target-credentials)");
      if (answers[i] == Published::stored)
        ++published_;
      else
        again.push_back(std::move(messages[i]));
    }
    messages = std::move(again);
  }
  if (!messages.empty())
    throw Error(Disposition::stop, "the server does not take " + messages.front().subject + "; " +
                                       std::to_string(published_) +
                                       " events are published. Is there a stream for it, and has it room?");
}

}  // namespace quadrille::republish
