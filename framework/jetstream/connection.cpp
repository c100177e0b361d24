#include "jetstream/connection.hpp"

#include "core/backoff.hpp"
#include "core/redact.hpp"
#include "core/time_text.hpp"
#include "core/uuid.hpp"
#include "jetstream/translate.hpp"

#include <cstdint>
#include <thread>

namespace quadrille::jetstream {
namespace {

/// `Permissions Violation for Publish to "evt.1.order..."` -> the subject
std::string refused_subject(const std::string& complaint) {
  if (complaint.find("ublish to") == std::string::npos && complaint.find("ubscription to") == std::string::npos)
    return {};
  const auto begin = complaint.find('"');
  const auto end = complaint.rfind('"');
  return begin == std::string::npos || end <= begin ? std::string{} : complaint.substr(begin + 1, end - begin - 1);
}

std::vector<std::string> split(const std::string& urls) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin <= urls.size();) {
    const auto end = std::min(urls.find(',', begin), urls.size());
    if (end > begin) result.push_back(urls.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

}  // namespace

Connection::Connection(const JetStreamSettings& settings, const std::string& role, bool send_asap)
    : shown_url_(without_password(settings.url)),
      inbox_prefix_("_INBOX_" + settings.client_name),
      warn_(settings.warn),
      reconnected_(settings.reconnected) {
  natsOptions* raw = nullptr;
  check(natsOptions_Create(&raw), "make options");
  const Options options(raw);
  configure(raw, settings, role, send_asap);
  connect(raw, settings);
}

Connection::~Connection() {
  if (!handle_) return;
  closing_ = true;
  natsConnection_Close(handle_.get());
  // The callbacks about it run later, on a thread of nats.c; "closed" is the last of them, and this object has to live
  // until then.
  std::unique_lock lock(mutex_);
  closed_.wait_for(lock, std::chrono::seconds(10), [this] { return is_closed_; });
}

void Connection::configure(natsOptions* options, const JetStreamSettings& settings, const std::string& role,
                           bool send_asap) {
  const auto urls = split(settings.url);
  if (urls.empty()) throw Error(Disposition::stop, "setting nats_url is empty; such as nats://127.0.0.1:4222");
  std::vector<const char*> servers;
  for (const auto& url : urls) servers.push_back(url.c_str());
  const std::string setting = "setting nats_url '" + shown_url_ + "'";
  check(natsOptions_SetServers(options, servers.data(), static_cast<int>(servers.size())), setting);
  check(natsOptions_SetName(options, (settings.client_name + "-" + role).c_str()), "set the name");
  check(natsOptions_SetCustomInboxPrefix(options, inbox_prefix_.c_str()), "set the inbox prefix");
  check(natsOptions_SetMaxReconnect(options, -1), "set reconnects");
  check(natsOptions_SetReconnectWait(options, 250), "set reconnects");
  check(natsOptions_SetReconnectJitter(options, 100, 1000), "set reconnects");
  check(natsOptions_SetPingInterval(options, 10'000), "set pings");
  check(natsOptions_SetMaxPingsOut(options, 2), "set pings");
  check(natsOptions_SetTimeout(options, 5'000), "set the connect time-out");
  check(natsOptions_SetSendAsap(options, send_asap), "set sending");
  check(natsOptions_SetErrorHandler(options, on_error, this), "set a handler");
  check(natsOptions_SetReconnectedCB(options, on_reconnected, this), "set a handler");
  check(natsOptions_SetDisconnectedCB(options, on_disconnected, this), "set a handler");
  check(natsOptions_SetClosedCB(options, on_closed, this), "set a handler");
  if (!settings.credentials_file.empty())
    check(natsOptions_SetUserCredentialsFromFiles(options, settings.credentials_file.c_str(), nullptr),
          "setting nats_credentials");
  if (!settings.nkey_seed_file.empty())
    check(natsOptions_SetNKeyFromSeed(options, settings.nkey.c_str(), settings.nkey_seed_file.c_str()),
          "settings nats_nkey and nats_nkey_seed");
  if (!settings.tls_ca.empty()) {
    check(natsOptions_SetSecure(options, true), "setting tls_ca");
    check(natsOptions_LoadCATrustedCertificates(options, settings.tls_ca.c_str()),
          "setting tls_ca '" + settings.tls_ca + "'");
  }
  if (!settings.tls_certificate.empty())
    check(natsOptions_LoadCertificatesChain(options, settings.tls_certificate.c_str(), settings.tls_key.c_str()),
          "settings tls_certificate '" + settings.tls_certificate + "' and tls_key");
}

void Connection::connect(natsOptions* options, const JetStreamSettings& settings) {
  const auto end = std::chrono::steady_clock::now() + settings.connect_timeout;
  const Backoff backoff{std::chrono::milliseconds(100), std::chrono::seconds(2)};
  for (std::uint32_t attempt = 1;; ++attempt) {
    natsConnection* raw = nullptr;
    const auto status = natsConnection_Connect(&raw, options);
    if (status == NATS_OK) {
      handle_.reset(raw);
      return;
    }
    const std::string why = natsStatus_GetText(status);
    if (disposition_of(status) == Disposition::stop)
      throw Error(Disposition::stop, "NATS at " + shown_url_ + " (setting nats_url) refuses the connection: " + why);
    if (std::chrono::steady_clock::now() >= end)
      throw Error(Disposition::stop, "cannot reach NATS at " + shown_url_ + " (setting nats_url) within " +
                                         duration_text(settings.connect_timeout) +
                                         ": start it or correct the setting; " + why);
    std::this_thread::sleep_for(backoff.delay(attempt));
  }
}

bool Connection::is_refused(const std::string& subject) const {
  const std::scoped_lock lock(mutex_);
  return refused_.contains(subject);
}

void Connection::forget_refusal(const std::string& subject) {
  const std::scoped_lock lock(mutex_);
  refused_.erase(subject);
}

std::string Connection::new_inbox() const { return inbox_prefix_ + "." + new_uuid(); }

std::string Connection::request(const std::string& subject, const std::string& body,
                                std::chrono::milliseconds timeout) const {
  natsMsg* raw = nullptr;
  const auto status = natsConnection_RequestString(&raw, handle_.get(), subject.c_str(), body.c_str(), timeout.count());
  if (status == NATS_NO_RESPONDERS) throw NobodyServes(subject);
  check(status, "request " + subject);
  const Msg answer(raw);
  return {natsMsg_GetData(raw), static_cast<std::size_t>(natsMsg_GetDataLength(raw))};
}

void Connection::on_error(natsConnection* connection, natsSubscription*, natsStatus status, void* self) {
  auto& us = *static_cast<Connection*>(self);
  const char* last = nullptr;
  natsConnection_GetLastError(connection, &last);
  const std::string text = last == nullptr ? natsStatus_GetText(status) : last;
  if (status == NATS_NOT_PERMITTED) {
    const std::scoped_lock lock(us.mutex_);
    us.refused_.insert(refused_subject(text));
  }
  us.warn_("NATS at " + us.shown_url_ + ": " + text);
}

void Connection::on_reconnected(natsConnection*, void* self) {
  auto& us = *static_cast<Connection*>(self);
  ++us.generation_;
  us.reconnected_();
  us.warn_("NATS at " + us.shown_url_ + " is back");
}

void Connection::on_disconnected(natsConnection*, void* self) {
  auto& us = *static_cast<Connection*>(self);
  if (!us.closing_) us.warn_("NATS at " + us.shown_url_ + " is away, reconnecting");
}

void Connection::on_closed(natsConnection*, void* self) {
  auto& us = *static_cast<Connection*>(self);
  const std::scoped_lock lock(us.mutex_);
  us.is_closed_ = true;
  us.closed_.notify_all();
}

}  // namespace quadrille::jetstream
