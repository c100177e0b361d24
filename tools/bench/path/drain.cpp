#include "path/measurements.hpp"

#include <nats/nats.h>

#include <stdexcept>
#include <thread>

namespace quadrille::bench {

namespace {

void purge_events(const std::string& url) {
  natsConnection* connection = nullptr;
  jsCtx* context = nullptr;
  if (natsConnection_ConnectTo(&connection, url.c_str()) != NATS_OK ||
      natsConnection_JetStream(&context, connection, nullptr) != NATS_OK ||
      js_PurgeStream(context, "EVT", nullptr, nullptr) != NATS_OK)
    throw std::runtime_error("cannot empty the stream EVT");
  jsCtx_Destroy(context);
  natsConnection_Destroy(connection);
}

}  // namespace

void measure_drain(Stand& stand, SagaLoad& load, Figures& figures, const Extent& extent) {
  const auto name = relay_name(stand);
  // One transaction, so that all of it is there at once, whichever way the relay learns of it.
  load.start_relay();
  const auto wait_until_empty = [&] {
    const telemetry::Stopwatch patience;
    while (load.pending() > 0) {
      if (patience.seconds() > 120) throw std::runtime_error("the outbox does not get empty");
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  };
  for (int i = 0; i < 50; ++i) load.begin();  // the relay has its lease and, tailing, reads the log
  wait_until_empty();
  load.record(extent.messages);
  const telemetry::Stopwatch watch;
  load.begin();
  wait_until_empty();
  figures.add({"drain_" + name, "outbox drained by " + name, static_cast<double>(extent.messages) / watch.seconds(),
               "msg/s", "raw.publish", ">= 0.70"});
  figures.add({"drain_same_" + name, "  beside publishing the same bytes", figures.value("drain_" + name), "msg/s",
               "raw.publish_events"});
  load.stop_relay();
  // Nobody has to go through these sagas before the next measurement.
  purge_events(stand.system().nats_url("opener"));
}

}  // namespace quadrille::bench
