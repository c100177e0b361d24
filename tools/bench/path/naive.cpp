// The baseline: the same three steps as they are usually written by hand. One message a transaction, an outbox that is
// polled every 200 ms, one synchronous publish after the other.
#include "core/subject.hpp"
#include "core/uuid.hpp"
#include "path/libpq.hpp"
#include "path/measurements.hpp"
#include "path/watch.hpp"

#include <nats/nats.h>

#include <atomic>
#include <thread>

namespace quadrille::bench {
namespace {

void must(natsStatus status, const char* what) {
  if (status != NATS_OK) throw std::runtime_error(std::string(what) + ": " + natsStatus_GetText(status));
}

class Jet {
 public:
  explicit Jet(const std::string& url) {
    must(natsConnection_ConnectTo(&connection_, url.c_str()), "connect");
    must(natsConnection_JetStream(&context_, connection_, nullptr), "use JetStream");
  }
  ~Jet() {
    jsCtx_Destroy(context_);
    natsConnection_Destroy(connection_);
  }
  Jet(const Jet&) = delete;
  Jet& operator=(const Jet&) = delete;
  [[nodiscard]] jsCtx* get() const { return context_; }

 private:
  natsConnection* connection_ = nullptr;
  jsCtx* context_ = nullptr;
};

/// One service: hears `in`, says `out`.
class Service {
 public:
  Service(std::string database, std::string broker, std::string in, std::string out)
      : database_(std::move(database)), broker_(std::move(broker)), in_(std::move(in)), out_(std::move(out)) {
    Libpq(database_).run(
        "CREATE SCHEMA naive CREATE TABLE inbox (id text PRIMARY KEY) "
        "CREATE TABLE states (key text PRIMARY KEY, done boolean NOT NULL) "
        "CREATE TABLE events (position bigserial PRIMARY KEY, key text NOT NULL, payload bytea NOT NULL) "
        "CREATE TABLE outbox (position bigserial PRIMARY KEY, id text NOT NULL, payload bytea NOT NULL)");
    consumer_ = std::jthread([this](const std::stop_token& stopping) { consume(stopping); });
    poller_ = std::jthread([this](const std::stop_token& stopping) { poll(stopping); });
  }

 private:
  void consume(const std::stop_token& stopping) const {
    const Jet broker(broker_);
    Libpq database(database_);
    natsSubscription* subscription = nullptr;
    must(js_PullSubscribe(&subscription, broker.get(), in_.c_str(), ("naive" + out_.substr(6)).c_str(), nullptr,
                          nullptr, nullptr),
         "subscribe");
    while (!stopping.stop_requested()) {
      natsMsgList list{};
      if (natsSubscription_Fetch(&list, subscription, 1, 200, nullptr) != NATS_OK) continue;
      const std::string payload(natsMsg_GetData(list.Msgs[0]),
                                static_cast<std::size_t>(natsMsg_GetDataLength(list.Msgs[0])));
      handle(database, payload);
      natsMsg_Ack(list.Msgs[0], nullptr);
      natsMsgList_Destroy(&list);
    }
    natsSubscription_Destroy(subscription);
  }

  static void handle(Libpq& database, const std::string& key) {
    database.run("BEGIN");
    const auto claimed =
        database.run("INSERT INTO naive.inbox VALUES ('" + key + "') ON CONFLICT DO NOTHING RETURNING id");
    if (PQntuples(claimed.get()) == 1) {
      database.run("SELECT done FROM naive.states WHERE key = '" + key + "'");
      database.run("INSERT INTO naive.states VALUES ('" + key + "', true)");
      database.run("INSERT INTO naive.events (key, payload) VALUES ('" + key + "', repeat('x', 64)::bytea)");
      database.run("INSERT INTO naive.outbox (id, payload) VALUES ('" + new_uuid() + "', '" + key + "')");
    }
    database.run("COMMIT");
  }

  void poll(const std::stop_token& stopping) const {
    const Jet broker(broker_);
    Libpq database(database_);
    while (!stopping.stop_requested()) {
      const auto rows = database.run("SELECT position, payload FROM naive.outbox ORDER BY position LIMIT 100");
      const int count = PQntuples(rows.get());
      for (int i = 0; i < count; ++i) {
        const std::string text = PQgetvalue(rows.get(), i, 1);  // \x and hexadecimal digits
        std::string key;
        for (std::size_t at = 2; at + 1 < text.size(); at += 2)
          key += static_cast<char>(std::stoi(text.substr(at, 2), nullptr, 16));
        must(
            js_Publish(nullptr, broker.get(), out_.c_str(), key.data(), static_cast<int>(key.size()), nullptr, nullptr),
            "publish");
        database.run("DELETE FROM naive.outbox WHERE position = " + std::string(PQgetvalue(rows.get(), i, 0)));
      }
      if (count == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  }

  const std::string database_;
  const std::string broker_;
  const std::string in_;
  const std::string out_;
  std::jthread consumer_;
  std::jthread poller_;
};

void make_stream(const Jet& broker) {
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  const char* subjects[] = {"naive.>"};
  config.Name = "NAIVE";
  config.Subjects = subjects;
  config.SubjectsLen = 1;
  must(js_AddStream(nullptr, broker.get(), &config, nullptr, nullptr), "make a stream");
}

}  // namespace

void measure_naive(Stand& stand, Figures& figures, const Extent& extent) {
  const auto url = stand.system().nats_url("opener");
  const Jet broker(url);
  make_stream(broker);
  const Watch ends(url, "naive.3");
  std::vector<std::unique_ptr<Service>> services;
  int place = 0;
  for (const auto* participant : participants) {
    services.push_back(std::make_unique<Service>(stand.system().postgres().conninfo(participant), url,
                                                 "naive." + std::to_string(place),
                                                 "naive." + std::to_string(place + 1)));
    ++place;
  }
  const std::size_t sagas = extent.quick ? 1'500 : 6'000;
  const telemetry::Stopwatch watch;
  for (std::size_t i = 0; i < sagas; ++i) {
    const auto key = new_uuid();
    must(js_PublishAsync(broker.get(), "naive.0", key.data(), static_cast<int>(key.size()), nullptr), "publish");
  }
  ends.await(sagas);
  figures.add({"naive", "three-step sagas, written by hand", 3.0 * static_cast<double>(sagas) / watch.seconds(),
               "steps/s", "raw.steps"});
  services.clear();
  js_DeleteStream(broker.get(), "NAIVE", nullptr, nullptr);
}

}  // namespace quadrille::bench
