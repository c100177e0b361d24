#include "core/uuid.hpp"
#include "path/measurements.hpp"

#include <nats/nats.h>

#include <atomic>
#include <memory>
#include <stdexcept>

namespace quadrille::bench {
namespace {

void must(natsStatus status, const char* what) {
  if (status != NATS_OK) throw std::runtime_error(std::string(what) + ": " + natsStatus_GetText(status));
}

/// A stream of its own on a connection of its own, without anything of the framework.
class RawStream {
 public:
  explicit RawStream(const std::string& url) {
    must(natsConnection_ConnectTo(&connection_, url.c_str()), "connect");
    jsOptions options;
    jsOptions_Init(&options);
    options.PublishAsync.MaxPending = 4'000;
    options.PublishAsync.StallWait = 10'000;
    must(natsConnection_JetStream(&context_, connection_, &options), "use JetStream");
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    const char* subjects[] = {"raw.>"};
    config.Name = "RAW";
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    must(js_AddStream(nullptr, context_, &config, nullptr, nullptr), "make a stream");
  }
  ~RawStream() {
    js_DeleteStream(context_, "RAW", nullptr, nullptr);
    jsCtx_Destroy(context_);
    natsConnection_Destroy(connection_);
  }
  RawStream(const RawStream&) = delete;
  RawStream& operator=(const RawStream&) = delete;

  double publish(std::size_t messages, const Message& like) {
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MaxWait = 30'000;
    const telemetry::Stopwatch watch;
    for (std::size_t i = 0; i < messages; ++i) {
      natsMsg* message = nullptr;
      must(natsMsg_Create(&message, "raw.message", nullptr, like.payload.data(), static_cast<int>(like.payload.size())),
           "make a message");
      for (const auto& [name, value] : like.headers) natsMsgHeader_Set(message, name.c_str(), value.c_str());
      natsMsgHeader_Set(message, "Nats-Msg-Id", new_uuid().c_str());
      must(js_PublishMsgAsync(context_, &message, &options), "publish");
    }
    must(js_PublishAsyncComplete(context_, &options), "wait for answers");
    return static_cast<double>(messages) / watch.seconds();
  }

  double fetch(std::size_t messages) {
    natsSubscription* subscription = nullptr;
    must(js_PullSubscribe(&subscription, context_, "raw.>", "puller", nullptr, nullptr, nullptr), "subscribe");
    const telemetry::Stopwatch watch;
    for (std::size_t got = 0; got < messages;) {
      natsMsgList list{};
      // A whole batch at a time: what is left over of an earlier one overflows the heap of old versions.
      must(natsSubscription_Fetch(&list, subscription, 500, 10'000, nullptr), "fetch");
      for (int i = 0; i < list.Count; ++i) natsMsg_Ack(list.Msgs[i], nullptr);
      got += static_cast<std::size_t>(list.Count);
      natsMsgList_Destroy(&list);
    }
    natsConnection_Flush(connection_);
    const auto rate = static_cast<double>(messages) / watch.seconds();
    natsSubscription_Destroy(subscription);
    return rate;
  }

 private:
  natsConnection* connection_ = nullptr;
  jsCtx* context_ = nullptr;
};

}  // namespace

void measure_jetstream(Stand& stand, SagaLoad& load, Figures& figures, const Extent& extent) {
  RawStream stream(stand.system().nats_url("opener"));
  const Message small{"", {}, std::string(200, 'x')};
  figures.add({"raw.publish", "JetStream alone, asynchronous publish of 200 B", stream.publish(extent.messages, small),
               "msg/s"});
  figures.add({"raw.publish_events", "JetStream alone, publish with an event's headers",
               stream.publish(extent.messages, load.message()), "msg/s"});
  figures.add({"raw.fetch", "JetStream alone, pull of 500 with acknowledgements", stream.fetch(extent.messages),
               "msg/s", "raw.publish"});
}

}  // namespace quadrille::bench
