#include "replay/raw.hpp"

#include <libpq-fe.h>
#include <nats/nats.h>

#include <chrono>
#include <memory>
#include <stdexcept>

namespace quadrille::bench {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void check(natsStatus status, const char* what) {
  if (status != NATS_OK) throw std::runtime_error(std::string(what) + ": " + natsStatus_GetText(status));
}

template <class Handle, void (*destroy)(Handle*)>
struct Destroy {
  void operator()(Handle* handle) const { destroy(handle); }
};

}  // namespace

double raw_fetch(const std::string& url, std::uint64_t messages) {
  natsConnection* raw_connection = nullptr;
  check(natsConnection_ConnectTo(&raw_connection, url.c_str()), "connect");
  const std::unique_ptr<natsConnection, Destroy<natsConnection, natsConnection_Destroy>> connection(raw_connection);
  jsCtx* raw_context = nullptr;
  check(natsConnection_JetStream(&raw_context, raw_connection, nullptr), "use JetStream");
  const std::unique_ptr<jsCtx, Destroy<jsCtx, jsCtx_Destroy>> context(raw_context);
  jsSubOptions options;
  check(jsSubOptions_Init(&options), "make options");
  options.Stream = "EVT";
  options.Config.MaxAckPending = static_cast<std::int64_t>(messages);
  options.Config.AckPolicy = js_AckExplicit;
  natsSubscription* raw_subscription = nullptr;
  check(js_PullSubscribe(&raw_subscription, raw_context, "evt.>", "raw", nullptr, &options, nullptr), "subscribe");
  const std::unique_ptr<natsSubscription, Destroy<natsSubscription, natsSubscription_Destroy>> subscription(
      raw_subscription);
  constexpr int at_once = 500;
  constexpr std::int64_t patience = 5'000;
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t got = 0; got < messages;) {
    natsMsgList list{};
    check(natsSubscription_Fetch(&list, raw_subscription, at_once, patience, nullptr), "fetch");
    got += static_cast<std::uint64_t>(list.Count);
    natsMsgList_Destroy(&list);
  }
  const auto spent = seconds_since(start);
  static_cast<void>(js_DeleteConsumer(raw_context, "EVT", "raw", nullptr, nullptr));
  return spent;
}

RawCopy raw_copy(const std::string& conninfo) {
  const std::unique_ptr<PGconn, Destroy<PGconn, PQfinish>> connection(PQconnectdb(conninfo.c_str()));
  if (PQstatus(connection.get()) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(connection.get()));
  const auto start = std::chrono::steady_clock::now();
  const std::unique_ptr<PGresult, Destroy<PGresult, PQclear>> begun(
      PQexec(connection.get(), "COPY quadrille.events TO STDOUT"));
  if (PQresultStatus(begun.get()) != PGRES_COPY_OUT) throw std::runtime_error(PQerrorMessage(connection.get()));
  RawCopy copy;
  for (char* row = nullptr; PQgetCopyData(connection.get(), &row, 0) > 0; ++copy.rows) PQfreemem(row);
  copy.seconds = seconds_since(start);
  return copy;
}

}  // namespace quadrille::bench
