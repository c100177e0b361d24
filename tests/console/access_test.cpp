// Who may ask what, without a server.
#include "tracker/access.hpp"

#include "quadrille/error.hpp"

#include <gtest/gtest.h>

namespace quadrille::tracker {
namespace {

class HandClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return now_; }
  TimePoint now_ = TimePoint(std::chrono::hours(1));
};

http::Request request(const std::string& path, std::map<std::string, std::string> headers = {}) {
  headers.try_emplace("host", "127.0.0.1:8080");
  return {.method = "GET", .path = path, .peer = "127.0.0.1", .headers = std::move(headers)};
}

int status(const std::optional<http::Response>& response) { return response ? response->status : 200; }

constexpr const char* secret = "a-secret-of-the-test";
const http::Tls tls{"certificate.pem", "key.pem"};

TEST(Access, StartsBeyondThisMachineWithTlsAndTokenOnly) {
  const HandClock clock;
  for (const auto* address :
       {"0.0.0.0:8080", "10.0.0.7:8080", "127.0.0.1.example.org:8080", "[::]:8080", "tracker:1"}) {
    EXPECT_THROW(Access("", address, {}, clock).check_start(), Error) << address;
    EXPECT_THROW(Access(secret, address, {}, clock).check_start(), Error) << address;
    EXPECT_THROW(Access("", address, tls, clock).check_start(), Error) << address;
    EXPECT_NO_THROW(Access(secret, address, tls, clock).check_start()) << address;
  }
  for (const auto* address : {"127.0.0.1:8080", "127.1.2.3:0", "localhost:8080", "[::1]:8080"})
    EXPECT_NO_THROW(Access("", address, {}, clock).check_start()) << address;
}

TEST(Access, KnowsItselfByItsOwnNamesOnly) {
  const HandClock clock;
  Access access("", "127.0.0.1:8080", {}, clock);
  for (const auto* host : {"127.0.0.1:8080", "localhost:8080", "localhost", "[::1]:8080"})
    EXPECT_EQ(status(access.refused(request("/api/sagas", {{"host", host}}))), 200) << host;
  for (const auto* host : {"evil.example:8080", "127.0.0.1.evil.example:8080", "localhost.evil.example", ""})
    EXPECT_EQ(status(access.refused(request("/api/sagas", {{"host", host}}))), 421) << host;
}

TEST(Access, AnswersPagesOfItsOwnOnly) {
  const HandClock clock;
  Access access("", "127.0.0.1:8080", {}, clock);
  const auto asked = [&](std::map<std::string, std::string> headers) {
    return status(access.refused(request("/api/sagas", std::move(headers))));
  };
  EXPECT_EQ(asked({{"sec-fetch-site", "same-origin"}, {"origin", "http://127.0.0.1:8080"}}), 200);
  EXPECT_EQ(asked({{"sec-fetch-site", "none"}}), 200) << "typed into the address line";
  EXPECT_EQ(asked({{"sec-fetch-site", "same-site"}}), 403);
  EXPECT_EQ(asked({{"sec-fetch-site", "cross-site"}}), 403);
  EXPECT_EQ(asked({{"origin", "null"}}), 403);
  EXPECT_EQ(asked({{"origin", "http://127.0.0.1:9999"}}), 403);
}

TEST(Access, SlowsGuessesDownMoreAndMoreAndForgivesWhoWasRight) {
  HandClock clock;
  Access access(secret, "127.0.0.1:8080", {}, clock);
  const auto act = [&](const std::string& token, const std::string& peer = "10.0.0.1") {
    auto asked = request("/api/acts", {{"authorization", "Bearer " + token}});
    asked.peer = peer;
    return status(access.refused_without_token(asked, "An act"));
  };
  for (int i = 0; i < 5; ++i) EXPECT_EQ(act("guess"), 401);
  EXPECT_EQ(act(secret), 429);
  EXPECT_EQ(act(secret, "10.0.0.2"), 200) << "others are not held up";
  clock.now_ += std::chrono::seconds(1);
  EXPECT_EQ(act("guess"), 401);
  clock.now_ += std::chrono::seconds(1);
  EXPECT_EQ(act(secret), 429) << "two seconds now";
  clock.now_ += std::chrono::seconds(1);
  EXPECT_EQ(act(secret), 200);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(act("guess"), 401);
  EXPECT_EQ(act(secret), 200) << "and counted anew";
}

TEST(Access, LetsNobodyActWithoutATokenFile) {
  const HandClock clock;
  Access access("", "127.0.0.1:8080", {}, clock);
  EXPECT_EQ(status(access.refused_without_token(request("/api/acts", {{"authorization", "Bearer "}}), "An act")), 403);
}

TEST(Access, AsksOthersForTheTokenEverywhere) {
  const HandClock clock;
  Access access(secret, "0.0.0.0:8080", tls, clock);
  const std::map<std::string, std::string> right{{"host", "tracker.example"},
                                                 {"authorization", std::string("Bearer ") + secret}};
  EXPECT_EQ(status(access.refused(request("/api/sagas", {{"host", "tracker.example"}}))), 401);
  EXPECT_EQ(status(access.refused(request("/metrics", {{"host", "tracker.example"}}))), 401);
  EXPECT_EQ(status(access.refused(request("/api/sagas", right))), 200);
  EXPECT_EQ(status(access.refused(request("/", {{"host", "tracker.example"}}))), 200);
}

}  // namespace
}  // namespace quadrille::tracker
