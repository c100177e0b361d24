#include "http/http_server.hpp"

#include "http/body.hpp"
#include "quadrille/error.hpp"

#include <httplib.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <thread>
#include <utility>

namespace quadrille::http {
namespace {

constexpr std::size_t largest_body = 1 << 20;
/// Each holds a worker thread.
constexpr int most_streams = 16;
constexpr std::size_t workers = most_streams + 8;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Request to_request(const httplib::Request& from) {
  Request request;
  request.method = from.method;
  request.path = from.path;
  request.peer = from.remote_addr;
  for (const auto& [name, value] : from.headers) request.headers[lower(name)] = value;
  request.body = from.body;
  for (const auto& [name, value] : from.params) request.query.emplace(name, value);
  if (from.matches.size() > 1) request.rest = from.matches[1].str();
  return request;
}

void answer(const Response& response, httplib::Response& to) {
  to.status = response.status;
  for (const auto& [name, value] : response.headers) to.set_header(name, value);
  // The error handler takes an answer without a body for one that nobody has made.
  if (response.status >= 400 || response.body.empty()) return to.set_content(response.body, response.content_type);
  // A body of known length is sent as it is. httplib would compress it with Brotli at its slowest where a browser takes
  // that: most of a second for 350 kB of a list, which takes 40 ms in all without.
  to.set_content_provider(response.body.size(), response.content_type,
                          [body = response.body](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                            return sink.write(body.data() + offset, length);
                          });
}

/// TLS 1.2 and newer, with our certificate. Says what is wrong with it.
bool prepare(SSL_CTX& context, const Tls& tls, std::string& complaint) {
  SSL_CTX_set_min_proto_version(&context, TLS1_2_VERSION);
  if (SSL_CTX_use_certificate_chain_file(&context, tls.certificate_file.c_str()) != 1)
    complaint = "the certificate " + tls.certificate_file;
  else if (SSL_CTX_use_PrivateKey_file(&context, tls.key_file.c_str(), SSL_FILETYPE_PEM) != 1)
    complaint = "the key " + tls.key_file;
  else if (SSL_CTX_check_private_key(&context) != 1)
    complaint = "the key " + tls.key_file + " with the certificate " + tls.certificate_file;
  else
    return true;
  const char* reason = ERR_reason_error_string(ERR_get_error());
  complaint += std::string(" cannot be used: ") + (reason == nullptr ? "no reason given" : reason);
  return false;
}

/// What httplib itself refuses, which happens before any handler sees it.
std::string why(int status) {
  switch (status) {
    case 400:
      return ": it is not HTTP/1.1, or a method that has a body came without one or with less than Content-Length says";
    case 404:
      return ": nothing is served there";
    case 413:
      return ": a body has at most " + std::to_string(largest_body) + " bytes";
    case 414:
      return ": an address has at most " + std::to_string(CPPHTTPLIB_REQUEST_URI_MAX_LENGTH) + " bytes";
    default:
      return {};
  }
}

std::unique_ptr<httplib::Server> make_server(const Tls& tls) {
  if (!tls.wanted()) return std::make_unique<httplib::Server>();
  std::string complaint;
  auto server =
      std::make_unique<httplib::SSLServer>([&](SSL_CTX& context) { return prepare(context, tls, complaint); });
  if (!server->is_valid())
    throw Error(Disposition::stop, "TLS: " + (complaint.empty() ? std::string("cannot be set up") : complaint));
  return server;
}

}  // namespace

struct HttpServer::Impl {
  explicit Impl(const Tls& tls) : server(make_server(tls)) {}

  [[nodiscard]] httplib::Server::Handler adapt(Handler handler) {
    return [this, handler = std::move(handler)](const httplib::Request& from, httplib::Response& to) {
      const auto request = to_request(from);
      const auto refused = guard ? guard(request) : std::nullopt;
      answer(refused ? *refused : handler(request), to);
    };
  }

  const std::unique_ptr<httplib::Server> server;
  Guard guard;
  std::thread thread;
  std::atomic<int> streams{0};
  std::atomic<bool> stopping{false};
};

HttpServer::HttpServer(const Tls& tls) : impl_(std::make_unique<Impl>(tls)) {
  impl_->server->set_payload_max_length(largest_body);
  // Not httplib's SO_REUSEPORT: two programs would share a port and each get half of its requests.
  impl_->server->set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  impl_->server->new_task_queue = [] { return new httplib::ThreadPool(workers); };
  impl_->server->set_tcp_nodelay(true);  // head and body are two writes: Nagle would hold the second back for 40 ms
  impl_->server->set_error_handler([](const httplib::Request& from, httplib::Response& to) {
    if (to.body.empty())
      answer(problem(to.status, "The request cannot be served", from.method + " " + from.path + why(to.status)), to);
  });
}

HttpServer::~HttpServer() { stop(); }

void HttpServer::always(const std::map<std::string, std::string>& headers) {
  impl_->server->set_default_headers({headers.begin(), headers.end()});
}

void HttpServer::guard(Guard guard) { impl_->guard = std::move(guard); }

void HttpServer::get(const std::string& path, Handler handler) {
  impl_->server->Get(path, impl_->adapt(std::move(handler)));
}

void HttpServer::get_below(const std::string& path, Handler handler) {
  impl_->server->Get(path + "/([^/]+)", impl_->adapt(std::move(handler)));
}

void HttpServer::stream(const std::string& path, const std::string& content_type, Chunks chunks) {
  impl_->server->Get(
      path, [this, content_type, chunks = std::move(chunks)](const httplib::Request& from, httplib::Response& to) {
        const auto request = to_request(from);
        if (const auto refused = impl_->guard ? impl_->guard(request) : std::nullopt) {
          answer(*refused, to);
          return;
        }
        if (impl_->streams.fetch_add(1) >= most_streams) {
          --impl_->streams;
          answer(problem(503, "Too many streams", "close another page of it first"), to);
          return;
        }
        to.set_header("Cache-Control", "no-store");
        to.set_chunked_content_provider(
            content_type,
            [this, next = chunks(request)](std::size_t, httplib::DataSink& sink) {
              if (impl_->stopping) return false;
              const auto chunk = next();
              return chunk.empty() || sink.write(chunk.data(), chunk.size());
            },
            [this](bool) { --impl_->streams; });
      });
}

void HttpServer::post(const std::string& path, Handler handler) {
  impl_->server->Post(path, impl_->adapt(std::move(handler)));
}

bool is_loopback(const std::string& address) {
  const auto host =
      address.starts_with('[') ? address.substr(0, address.find(']') + 1) : address.substr(0, address.rfind(':'));
  // 127.0.0.1.example.org is a name that anybody may point anywhere.
  const bool number = host.find_first_not_of("0123456789.") == std::string::npos;
  return host == "localhost" || host == "::1" || host == "[::1]" || (number && host.starts_with("127."));
}

int HttpServer::start(const std::string& address, const std::string& setting) {
  const auto colon = address.rfind(':');
  int port = -1;
  if (colon != std::string::npos) std::from_chars(address.data() + colon + 1, address.data() + address.size(), port);
  if (port < 0 || port > 65535)
    throw Error(Disposition::stop,
                "setting " + setting + ": '" + address + "' is not host:port, such as 127.0.0.1:8080");
  const auto host = address.substr(0, colon);
  const int bound =
      port == 0 ? impl_->server->bind_to_any_port(host) : (impl_->server->bind_to_port(host, port) ? port : -1);
  if (bound < 0)
    throw Error(Disposition::stop, "setting " + setting + ": cannot listen on " + address + "; is the port taken?");
  impl_->thread = std::thread([this] { impl_->server->listen_after_bind(); });
  while (!impl_->server->is_running()) std::this_thread::yield();  // stop() before that would be lost
  return bound;
}

void HttpServer::stop() {
  if (!impl_->thread.joinable()) return;
  impl_->stopping = true;
  impl_->server->stop();
  impl_->thread.join();
}

}  // namespace quadrille::http
