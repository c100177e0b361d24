// read_stream(): what a tool sees of a stream, without leaving anything on the server.
#include "jetstream/ack_subject.hpp"
#include "jetstream/connection.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "jetstream/translate.hpp"
#include "jetstream/wire.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace quadrille::jetstream {
namespace {

constexpr std::int64_t patience_ms = 5'000;

/// The sequence of the newest message, 0 for an empty stream.
std::uint64_t newest_sequence(const Connection& connection, const std::string& stream) {
  const auto answer = nlohmann::json::parse(
      connection.request("$JS.API.STREAM.INFO." + stream, "", std::chrono::milliseconds(patience_ms)));
  if (answer.contains("error"))
    throw Error(Disposition::stop, "stream " + stream + ": " + answer["error"].value("description", "unknown error"));
  return answer["state"].value("last_seq", std::uint64_t{0});
}

}  // namespace

void read_stream(const JetStreamSettings& settings, const std::string& stream, const std::string& filter,
                 const std::function<void(const Delivery&)>& take) {
  Connection connection(settings, "read", false);
  const auto newest = newest_sequence(connection, stream);
  if (newest == 0) return;
  jsCtx* raw_context = nullptr;
  check(natsConnection_JetStream(&raw_context, connection.get(), nullptr), "use JetStream");
  const JetStreamContext context(raw_context);
  jsSubOptions options;
  check(jsSubOptions_Init(&options), "make options");
  options.Stream = stream.c_str();
  options.Ordered = true;
  natsSubscription* raw_subscription = nullptr;
  check(js_SubscribeSync(&raw_subscription, context.get(), filter.c_str(), nullptr, &options, nullptr),
        "read stream " + stream);
  const Subscription subscription(raw_subscription);
  for (;;) {
    natsMsg* raw = nullptr;
    const auto status = natsSubscription_NextMsg(&raw, subscription.get(), patience_ms);
    if (status == NATS_TIMEOUT) return;  // nothing that matches the filter up to the newest message
    check(status, "read stream " + stream);
    const Msg message(raw);
    const auto place = parse_ack_subject(natsMsg_GetReply(raw));
    if (!place) continue;
    take({from_nats(raw), {}, place->sequence, place->deliveries, {}});
    jsMsgMetaData* meta = nullptr;
    check(natsMsg_GetMetaData(&meta, raw), "read a message's place");
    const bool last = meta->NumPending == 0 || meta->Sequence.Stream >= newest;
    jsMsgMetaData_Destroy(meta);
    if (last) return;
  }
}

}  // namespace quadrille::jetstream
