// read_stream(): what a tool sees of a stream, without leaving anything on the server.
#include "jetstream/jetstream_broker.hpp"
#include "jetstream/stream_follower.hpp"
#include "quadrille/error.hpp"

namespace quadrille::jetstream {

void read_stream(const JetStreamSettings& settings, const std::string& stream, const std::string& filter,
                 const std::function<void(const Delivery&)>& take) {
  StreamFollower follower(settings, stream, filter);
  const auto state = follower.look();
  if (!state) throw Error(Disposition::retry, "stream " + stream + ": the server does not answer");
  if (state->last == 0) return;
  follower.start_at(1);
  for (;;) {
    const auto received = follower.receive(500, std::chrono::seconds(5));
    if (received.empty()) return;  // nothing that matches the filter up to the newest message
    for (const auto& delivery : received) take(delivery);
    if (follower.drained() || received.back().sequence >= state->last) return;
  }
}

}  // namespace quadrille::jetstream
