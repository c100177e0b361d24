#pragma once

#include "core/event.hpp"
#include "jetstream/jetstream_broker.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::jetstream {

/// Reads a stream in its order from any place on, and goes on as it grows, without a durable: nothing stays on the
/// server, and who reads remembers how far. For tools and projections. Used by one thread.
class StreamFollower {
 public:
  /// Throws Error(stop) that names the server, without its password, when it cannot be reached.
  StreamFollower(const JetStreamSettings& settings, std::string stream, std::string filter);
  ~StreamFollower();
  StreamFollower(const StreamFollower&) = delete;
  StreamFollower& operator=(const StreamFollower&) = delete;

  struct State {
    std::string created;  ///< a stream that was deleted and made anew has another time
    std::uint64_t first = 0;
    std::uint64_t last = 0;  ///< sequence of the newest message, 0 for an empty stream
  };
  /// What the server says of the stream; nothing when it does not answer. Throws Error(stop) where there is no such
  /// stream.
  [[nodiscard]] std::optional<State> look() const;

  /// How many messages the stream holds that match the filter; nothing when the server does not answer.
  [[nodiscard]] std::optional<std::uint64_t> count_matching() const;

  /// Reads from this sequence on; what was received before and not handed out yet is dropped. Throws Error(retry) when
  /// the server does not answer.
  void start_at(std::uint64_t sequence);
  /// Up to `most`, waiting up to `longest` for the first. Empty also while the server is away. After a reconnect it
  /// goes on behind the last one handed out.
  [[nodiscard]] std::vector<Delivery> receive(std::size_t most, std::chrono::milliseconds longest);
  /// The same as events, one after the other without keeping any, which is quicker; messages that are no events are
  /// left out, and counted. The sequence of the last message, whatever it was; nothing where there was none.
  [[nodiscard]] std::optional<std::uint64_t> read(
      std::size_t most, std::chrono::milliseconds longest,
      const std::function<void(std::uint64_t sequence, const Event& event)>& take);
  /// How many messages read() has left out so far.
  [[nodiscard]] std::uint64_t left_out() const;
  /// Behind the last one handed out the stream held nothing then.
  [[nodiscard]] bool drained() const;

 private:
  template <class Hand>
  void each(std::size_t most, std::chrono::milliseconds longest, const Hand& hand);

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace quadrille::jetstream
