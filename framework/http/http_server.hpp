#pragma once

#include "http/http_message.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace quadrille::http {

/// Files in PEM: the certificate with those it is derived from, and its private key. Both empty: no TLS.
struct Tls {
  std::string certificate_file;
  std::string key_file;
  [[nodiscard]] bool wanted() const { return !certificate_file.empty() || !key_file.empty(); }
};

/// host:port or host, where only programs of this machine reach it.
[[nodiscard]] bool is_loopback(const std::string& address);

/// A small HTTP/1.1 server over cpp-httplib. Handlers run in its worker threads and may not throw. Unknown paths get a
/// problem body.
class HttpServer {
 public:
  using Handler = std::function<Response(const Request&)>;

  /// Throws Error(stop) when the certificate or its key cannot be used.
  explicit HttpServer(const Tls& tls = {});
  /// Ends as stop() does.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Every answer carries them.
  void always(const std::map<std::string, std::string>& headers);
  /// Asked before every handler and stream; what it returns is the answer then. Set it before start().
  using Guard = std::function<std::optional<Response>(const Request&)>;
  void guard(Guard guard);

  void get(const std::string& path, Handler handler);
  /// Every path below `path` and a slash.
  void get_below(const std::string& path, Handler handler);
  void post(const std::string& path, Handler handler);
  /// An answer that goes on until the client leaves or the server stops. `chunks` begins one: what it returns is called
  /// again and again for the next piece, and comes back within a second, empty where there is nothing new.
  using Chunks = std::function<std::function<std::string()>(const Request&)>;
  void stream(const std::string& path, const std::string& content_type, Chunks chunks);

  /// Listens on `address` (host:port; port 0 takes a free one) and serves in threads of its own. Returns the port.
  /// Throws Error(stop) that names `setting` when the address cannot be had.
  int start(const std::string& address, const std::string& setting);
  /// Takes no more connections and waits for the requests being served.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quadrille::http
