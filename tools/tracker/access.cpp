#include "tracker/access.hpp"

#include "http/body.hpp"
#include "quadrille/error.hpp"
#include "tracker/token.hpp"

#include <algorithm>

namespace quadrille::tracker {
namespace {

constexpr const char* bearer = "Bearer ";
constexpr int free_guesses = 5;
constexpr std::chrono::seconds longest_lock{300};
/// Enough for every office; more than that is one attacker with many addresses, and the locks begin anew.
constexpr std::size_t most_peers = 1'000;

/// What a browser loads before anybody can have typed a token, and what probes ask: none of it tells anything.
bool is_public(const std::string& path) {
  return path == "/" || path.starts_with("/console/") || path == "/live" || path == "/ready";
}

/// A page of another site had it sent. Programs send neither header.
bool comes_from_elsewhere(const http::Request& request) {
  const auto site = request.header("sec-fetch-site");
  if (!site.empty() && site != "same-origin" && site != "none") return true;
  const auto origin = request.header("origin");
  const auto host = request.header("host");
  return !origin.empty() && origin != "http://" + host && origin != "https://" + host;
}

http::Response with_header(http::Response response, const std::string& name, const std::string& value) {
  response.headers[name] = value;
  return response;
}

}  // namespace

Access::Access(std::string token, const std::string& address, const http::Tls& tls, const Clock& clock)
    : token_(std::move(token)),
      address_(address),
      loopback_(http::is_loopback(address)),
      tls_(tls.wanted()),
      clock_(clock) {}

void Access::check_start() const {
  if (loopback_ || (tls_ && !token_.empty())) return;
  throw Error(Disposition::stop, "setting http: " + address_ + " can be reached from other machines; set " +
                                     (tls_ ? "" : "http-certificate and http-key") +
                                     (tls_ || !token_.empty() ? "" : ", and ") + (token_.empty() ? "token-file" : "") +
                                     ", or listen on 127.0.0.1");
}

std::optional<http::Response> Access::refused(const http::Request& request) {
  // A name that somebody has pointed at this machine would make a foreign page one of ours.
  if (loopback_ && !http::is_loopback(request.header("host")))
    return http::problem(421, "Not served by this name", "ask for http://" + address_);
  if (is_public(request.path)) return std::nullopt;
  if (comes_from_elsewhere(request))
    return http::problem(403, "Not for other sites", "this can be asked by the console's own page only");
  return loopback_ ? std::nullopt : refused_without_token(request, "Every request");
}

std::optional<http::Response> Access::refused_without_token(const http::Request& request, const std::string& wish) {
  if (token_.empty())
    return http::problem(403, wish + " needs a token", "the tracker was started without a token-file");
  const std::lock_guard lock(mutex_);
  if (auto locked = locked_out(request.peer)) return locked;
  const auto said = request.header("authorization");
  if (same_secret(said, bearer + token_)) {
    guesses_.erase(request.peer);
    return std::nullopt;
  }
  if (!said.empty()) count_wrong(request.peer);
  return with_header(http::problem(401, wish + " needs the token", "send Authorization: Bearer TOKEN"),
                     "WWW-Authenticate", "Bearer");
}

std::optional<http::Response> Access::locked_out(const std::string& peer) {
  const auto found = guesses_.find(peer);
  const auto now = clock_.now();
  if (found == guesses_.end() || found->second.locked_until <= now) return std::nullopt;
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(found->second.locked_until - now).count();
  return with_header(
      http::problem(429, "Too many wrong tokens", "from " + peer + "; try again in " + std::to_string(seconds) + " s"),
      "Retry-After", std::to_string(seconds));
}

void Access::count_wrong(const std::string& peer) {
  if (guesses_.size() >= most_peers && !guesses_.contains(peer)) guesses_.clear();
  auto& guesses = guesses_[peer];
  if (++guesses.wrong < free_guesses) return;
  const auto doublings = std::min(guesses.wrong - free_guesses, 9);
  guesses.locked_until = clock_.now() + std::min(longest_lock, std::chrono::seconds(1 << doublings));
}

}  // namespace quadrille::tracker
