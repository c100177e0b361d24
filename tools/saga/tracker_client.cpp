#include "saga/tracker_client.hpp"

#include <httplib.h>

#include <stdexcept>

namespace quadrille::saga {
namespace {

using Json = TrackerClient::Json;

httplib::Client client_for(const std::string& url, const std::string& token, const std::string& tls_ca) {
  httplib::Client client(url);
  if (!client.is_valid()) throw std::runtime_error("--tracker: '" + url + "' is not like http://127.0.0.1:8080");
  client.set_connection_timeout(5);
  client.set_read_timeout(30);
  if (!tls_ca.empty()) client.set_ca_cert_path(tls_ca);
  if (!token.empty()) client.set_bearer_token_auth(token);
  return client;
}

Json read(const httplib::Result& answer, const std::string& url, const std::string& path) {
  if (!answer)
    throw std::runtime_error("the tracker at " + url + " does not answer (" + httplib::to_string(answer.error()) +
                             "); start quadrille-tracker, or name another by --tracker");
  auto body = Json::parse(answer->body, nullptr, false);
  if (answer->status / 100 == 2 && !body.is_discarded()) return body;
  const std::string title = body.is_object() ? body.value("title", "") : "";
  const std::string detail = body.is_object() ? body.value("detail", "") : "";
  throw std::runtime_error(title.empty()
                               ? "the tracker at " + url + " answers " + std::to_string(answer->status) + " to " + path
                               : title + ": " + detail);
}

}  // namespace

std::string TrackerClient::segment(const std::string& text) { return httplib::detail::encode_query_param(text); }

TrackerClient::TrackerClient(const std::string& url, std::string token, const std::string& tls_ca)
    : url_(url.substr(0, url.find_last_not_of('/') + 1)), token_(std::move(token)), tls_ca_(tls_ca) {}

Json TrackerClient::get(const std::string& path, const Query& query) const {
  auto client = client_for(url_, token_, tls_ca_);
  return read(client.Get(path, httplib::Params(query.begin(), query.end()), httplib::Headers{}), url_, path);
}

Json TrackerClient::post(const std::string& path, const Json& body) const {
  auto client = client_for(url_, token_, tls_ca_);
  return read(client.Post(path, body.dump(), "application/json"), url_, path);
}

}  // namespace quadrille::saga
