#include "http/http_server.hpp"

#include "http/body.hpp"
#include "quadrille/error.hpp"

#include <httplib.h>

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
  for (const auto& [name, value] : from.headers) request.headers[lower(name)] = value;
  request.body = from.body;
  for (const auto& [name, value] : from.params) request.query.emplace(name, value);
  if (from.matches.size() > 1) request.rest = from.matches[1].str();
  return request;
}

void answer(const Response& response, httplib::Response& to) {
  to.status = response.status;
  for (const auto& [name, value] : response.headers) to.set_header(name, value);
  to.set_content(response.body, response.content_type);
}

httplib::Server::Handler adapt(HttpServer::Handler handler) {
  return [handler = std::move(handler)](const httplib::Request& from, httplib::Response& to) {
    answer(handler(to_request(from)), to);
  };
}

}  // namespace

struct HttpServer::Impl {
  httplib::Server server;
  std::thread thread;
  std::atomic<int> streams{0};
  std::atomic<bool> stopping{false};
};

HttpServer::HttpServer() : impl_(std::make_unique<Impl>()) {
  impl_->server.set_payload_max_length(largest_body);
  // Not httplib's SO_REUSEPORT: two programs would share a port and each get half of its requests.
  impl_->server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  impl_->server.new_task_queue = [] { return new httplib::ThreadPool(workers); };
  impl_->server.set_tcp_nodelay(true);  // head and body are two writes: Nagle would hold the second back for 40 ms
  impl_->server.set_error_handler([](const httplib::Request& from, httplib::Response& to) {
    if (to.body.empty()) answer(problem(to.status, "The request cannot be served", from.method + " " + from.path), to);
  });
}

HttpServer::~HttpServer() { stop(); }

void HttpServer::get(const std::string& path, Handler handler) { impl_->server.Get(path, adapt(std::move(handler))); }

void HttpServer::get_below(const std::string& path, Handler handler) {
  impl_->server.Get(path + "/([^/]+)", adapt(std::move(handler)));
}

void HttpServer::stream(const std::string& path, const std::string& content_type, Chunks chunks) {
  impl_->server.Get(
      path, [this, content_type, chunks = std::move(chunks)](const httplib::Request& from, httplib::Response& to) {
        if (impl_->streams.fetch_add(1) >= most_streams) {
          --impl_->streams;
          answer(problem(503, "Too many streams", "close another page of it first"), to);
          return;
        }
        to.set_header("Cache-Control", "no-store");
        to.set_chunked_content_provider(
            content_type,
            [this, next = chunks(to_request(from))](std::size_t, httplib::DataSink& sink) {
              if (impl_->stopping) return false;
              const auto chunk = next();
              return chunk.empty() || sink.write(chunk.data(), chunk.size());
            },
            [this](bool) { --impl_->streams; });
      });
}

void HttpServer::post(const std::string& path, Handler handler) { impl_->server.Post(path, adapt(std::move(handler))); }

int HttpServer::start(const std::string& address, const std::string& setting) {
  const auto colon = address.rfind(':');
  int port = -1;
  if (colon != std::string::npos) std::from_chars(address.data() + colon + 1, address.data() + address.size(), port);
  if (port < 0 || port > 65535)
    throw Error(Disposition::stop,
                "setting " + setting + ": '" + address + "' is not host:port, such as 127.0.0.1:8080");
  const auto host = address.substr(0, colon);
  const int bound =
      port == 0 ? impl_->server.bind_to_any_port(host) : (impl_->server.bind_to_port(host, port) ? port : -1);
  if (bound < 0)
    throw Error(Disposition::stop, "setting " + setting + ": cannot listen on " + address + "; is the port taken?");
  impl_->thread = std::thread([this] { impl_->server.listen_after_bind(); });
  while (!impl_->server.is_running()) std::this_thread::yield();  // stop() before that would be lost
  return bound;
}

void HttpServer::stop() {
  if (!impl_->thread.joinable()) return;
  impl_->stopping = true;
  impl_->server.stop();
  impl_->thread.join();
}

}  // namespace quadrille::http
