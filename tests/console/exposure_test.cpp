// Who can reach a tracker that runs, and what it answers to whom.
#include "console_system.hpp"
#include "core/broker.hpp"
#include "core/uuid.hpp"
#include "deploy/registry.hpp"
#include "embedded/probe.hpp"
#include "quadrille/v1/options.pb.h"
#include "support/certificates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

namespace quadrille {
namespace {

using testing::HasSubstr;

constexpr const char* rebuild_it = R"({"act": "rebuild", "who": "ada", "why": "only a test"})";

/// The shop declares no direct personal data. This says of the order service's contract that it has some, in the
/// registry that the tracker learns it from.
void declare_customers_personal(ConsoleSystem& system) {
  const jetstream::JetStreamSettings settings{.url = system.system().nats_url("order"), .client_name = "order"};
  auto registrations = deploy::read_registry(settings);
  const auto order = std::ranges::find(registrations, "order", &v1::Registration::participant);
  ASSERT_NE(order, registrations.end());
  for (auto& file : *order->mutable_contract()->mutable_file())
    for (auto& message : *file.mutable_message_type())
      for (auto& field : *message.mutable_field())
        if (field.name() == "customer_id" && message.name() == "OrderPlaced")
          field.mutable_options()->MutableExtension(v1::field)->set_pii(v1::Field::DIRECT);
  const std::vector<Message> said{{bucket_subject(Topology{}.registry, "order." + order->fingerprint()),
                                   {{"Nats-Msg-Id", new_uuid()}},
                                   order->SerializeAsString()}};
  ASSERT_EQ(jetstream::connect(settings)->publish(said).front(), Published::stored);
}

TEST(Exposure, MasksPersonalDataUnlessItIsAskedForWithTheToken) {
  ConsoleSystem system;
  declare_customers_personal(system);
  system.start_tracker();
  system.place(1);
  ASSERT_TRUE(system.await_sagas("COMPLETED", 1));
  const std::string path = "/api/sagas/" + system.get("/api/sagas")["sagas"][0]["saga_id"].get<std::string>();
  httplib::Client client("127.0.0.1", system.port());
  const auto masked = client.Get(path);
  EXPECT_THAT(masked->body, HasSubstr(R"x("customer_id":"(personal)")x"));
  EXPECT_EQ(client.Get(path + "?personal=1")->status, 401);
  EXPECT_EQ(client.Get(path + "?personal=1", {{"Authorization", "Bearer guessed"}})->status, 401);
  const auto shown =
      client.Get(path + "?personal=1", {{"Authorization", std::string("Bearer ") + ConsoleSystem::token}});
  EXPECT_EQ(shown->status, 200);
  EXPECT_THAT(shown->body, HasSubstr(R"x("customer_id":"ada")x"));
  EXPECT_THAT(shown->body, testing::Not(HasSubstr("(personal)")));
}

TEST(Exposure, AnswersOthersByTlsAndWithATokenOnly) {
  ConsoleSystem system;
  support::Certificates certificates(system.folder());
  certificates.authority("ours");
  const auto files = certificates.signed_by("ours", "tracker", "DNS:localhost,IP:127.0.0.1");
  const auto certificate = files.certificate.string();
  const auto key = files.key.string();

  const auto bare = system.run_tracker({"--http", "0.0.0.0:0"});
  EXPECT_EQ(bare.first, 2);
  EXPECT_THAT(bare.second, HasSubstr("http-certificate"));
  const auto wrong_key =
      system.run_tracker({"--http", "0.0.0.0:0", "--http-certificate", certificate, "--http-key", certificate});
  EXPECT_EQ(wrong_key.first, 2);
  EXPECT_THAT(wrong_key.second, HasSubstr("the key " + certificate));

  system.start_tracker("0.0.0.0:0", {"--http-certificate", certificate, "--http-key", key});
  httplib::SSLClient client("127.0.0.1", system.port());
  client.set_ca_cert_path((system.folder() / "ours.pem").c_str());
  client.enable_server_certificate_verification(true);
  const auto page = client.Get("/");
  ASSERT_TRUE(page) << to_string(page.error());
  EXPECT_EQ(page->status, 200) << "the page itself tells nothing; without it nobody could type the token";
  EXPECT_EQ(client.Get("/console/start.js")->status, 200);
  EXPECT_EQ(client.Get("/live")->status, 200);
  for (const auto* path : {"/api/overview", "/api/sagas", "/api/moves", "/api/flow?saga=checkout", "/metrics"})
    EXPECT_EQ(client.Get(path)->status, 401) << path;
  const httplib::Headers right{{"Authorization", std::string("Bearer ") + ConsoleSystem::token}};
  // Its tables may still be made.
  EXPECT_TRUE(
      embedded::await([&] { return client.Get("/api/overview", right)->status == 200; }, std::chrono::seconds(30)));
  EXPECT_EQ(client.Get("/metrics", right)->status, 200);
  httplib::Client plain("127.0.0.1", system.port());
  const auto unencrypted = plain.Get("/api/overview", right);
  EXPECT_FALSE(unencrypted && unencrypted->status == 200);
}

TEST(Exposure, LetsNoOtherPageIn) {
  ConsoleSystem system;
  system.start_tracker();
  httplib::Client client("127.0.0.1", system.port());
  const auto page = client.Get("/");
  ASSERT_TRUE(page);
  const auto policy = page->get_header_value("Content-Security-Policy");
  for (const auto* part : {"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
                           "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"})
    EXPECT_THAT(policy, HasSubstr(part));
  EXPECT_THAT(policy, testing::Not(HasSubstr("unsafe")));
  EXPECT_EQ(page->get_header_value("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(page->get_header_value("Referrer-Policy"), "no-referrer");
  EXPECT_EQ(client.Get("/api/overview")->get_header_value("Content-Security-Policy"), policy) << "of every answer";
  EXPECT_EQ(client.Get("/", {{"If-None-Match", page->get_header_value("ETag")}})->status, 304);

  const std::string bearer = std::string("Bearer ") + ConsoleSystem::token;
  const auto rebuild = [&](httplib::Headers headers) {
    headers.emplace("Authorization", bearer);
    return client.Post("/api/acts", headers, rebuild_it, "application/json")->status;
  };
  EXPECT_EQ(rebuild({{"Origin", "https://evil.example"}}), 403);
  EXPECT_EQ(rebuild({{"Sec-Fetch-Site", "cross-site"}}), 403);
  EXPECT_EQ(rebuild({{"Sec-Fetch-Site", "same-site"}}), 403) << "another port of this machine is another site to us";
  EXPECT_EQ(rebuild({{"Host", "evil.example:" + std::to_string(system.port())}}), 421) << "a name that was rebound";
  EXPECT_EQ(
      rebuild({{"Origin", "http://127.0.0.1:" + std::to_string(system.port())}, {"Sec-Fetch-Site", "same-origin"}}),
      202);
  EXPECT_EQ(client.Post("/api/acts", rebuild_it, "application/json")->status, 401);
  int refused = 0;
  for (int i = 0; i < 6; ++i)
    refused = client.Post("/api/acts", {{"Authorization", "Bearer a-guess"}}, rebuild_it, "application/json")->status;
  EXPECT_EQ(refused, 429);
  EXPECT_EQ(rebuild({}), 429) << "guessing is slowed down, whoever guesses right meanwhile";
}

}  // namespace
}  // namespace quadrille
