#pragma once

#include "core/broker.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace quadrille::jetstream {

struct JetStreamSettings {
  std::string url;          ///< nats:// or tls://, or several separated by commas
  std::string client_name;  ///< shown by the server; also the inbox prefix `_INBOX_<client_name>`, so that permissions
                            ///< can be narrow
  std::string credentials_file;  ///< JWT and seed
  std::string nkey;              ///< public key, with nkey_seed_file
  std::string nkey_seed_file;
  std::string tls_ca;  ///< files
  std::string tls_certificate;
  std::string tls_key;
  std::chrono::milliseconds connect_timeout{30'000};  ///< how long to wait for the server at start; later for ever
  std::chrono::milliseconds publish_timeout{5'000};   ///< an answer later than that is unknown
  std::function<void(const std::string&)> warn = [](const std::string&) {};
  std::function<void()> reconnected = [] {};  ///< a connection is back
  std::function<void()> duplicate = [] {};    ///< the server had what was published and dropped it
};

/// The Broker over NATS JetStream, from nats-server 2.9 on. Three connections: what is asked for goes out at once,
/// acknowledgements many in one write, and a full socket of the relay delays neither. Throws Error(stop) that names the
/// server, without its password, when it cannot be reached.
[[nodiscard]] std::unique_ptr<Broker> connect(const JetStreamSettings& settings);

/// Reads what a stream holds now, from the oldest message on, and hands each to `take`: for tools. Throws Error
/// also where the server stays silent in the middle for connect_timeout: half of it is never taken for all.
void read_stream(const JetStreamSettings& settings, const std::string& stream, const std::string& filter,
                 const std::function<void(const Delivery&)>& take);

}  // namespace quadrille::jetstream
