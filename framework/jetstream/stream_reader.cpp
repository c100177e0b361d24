// read_stream(): what a tool sees of a stream, without leaving anything on the server.
#include "jetstream/jetstream_broker.hpp"
#include "jetstream/stream_follower.hpp"
#include "quadrille/error.hpp"

namespace quadrille::jetstream {

void read_stream(const JetStreamSettings& settings, const std::string& stream, const std::string& filter,
                 const std::function<void(const Delivery&)>& take) {
  StreamFollower follower(settings, stream, filter);
  const auto state = follower.look();
  const auto matching = follower.count_matching();
  if (!state || !matching) throw Error(Disposition::retry, "stream " + stream + ": the server does not answer");
  if (*matching == 0) return;
  follower.start_at(1);
  std::uint64_t read = 0;
  do {
    const auto received = follower.receive(500, settings.connect_timeout);
    if (received.empty())  // half of it is not all of it
      throw Error(Disposition::retry, "stream " + stream + ": the server is silent after " + std::to_string(read) +
                                          " of " + std::to_string(*matching) + " messages of " + filter);
    for (const auto& delivery : received) take(delivery);
    read += received.size();
    if (received.back().sequence >= state->last) return;  // what came since is not ours
  } while (!follower.drained());
}

}  // namespace quadrille::jetstream
