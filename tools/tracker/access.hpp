#pragma once

#include "core/clock.hpp"
#include "http/http_server.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace quadrille::tracker {

/// Who may ask what. Reading is free on the loopback interface, to pages of our own and to programs; anywhere else
/// every request carries the token. Acts and personal data need the token always. It travels in the header
/// Authorization, which no browser adds by itself: a foreign page can read nothing and do nothing. Thread-safe.
class Access {
 public:
  /// `token` empty: nobody acts here. `address`: what is listened on.
  Access(std::string token, const std::string& address, const http::Tls& tls, const Clock& clock);

  /// Throws Error(stop) where others than this machine could listen in or ask without a token.
  void check_start() const;
  /// What is answered instead, to any request.
  [[nodiscard]] std::optional<http::Response> refused(const http::Request& request);
  /// What is answered instead of an act or of personal data; `wish` begins the sentence: "An act".
  [[nodiscard]] std::optional<http::Response> refused_without_token(const http::Request& request,
                                                                    const std::string& wish);

 private:
  struct Guesses {
    int wrong = 0;
    TimePoint locked_until{};
  };

  [[nodiscard]] std::optional<http::Response> locked_out(const std::string& peer);
  void count_wrong(const std::string& peer);

  const std::string token_;
  const std::string address_;
  const bool loopback_;
  const bool tls_;
  const Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Guesses> guesses_;  ///< by peer
};

}  // namespace quadrille::tracker
