// TLS to both servers, in both directions, with certificates made here: who is right gets in, nobody else.
#include "embedded/nats_server.hpp"
#include "embedded/postgres_server.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "migrate/migrate.hpp"
#include "postgres/postgres_store.hpp"
#include "quadrille/error.hpp"
#include "support/certificates.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <pwd.h>
#include <unistd.h>

namespace quadrille {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds patience{400};

/// What a refused connection says; empty where it was let in.
template <class Connect>
std::string refusal(const Connect& connect) {
  try {
    static_cast<void>(connect());
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::stop);
    return error.what();
  }
  return {};
}

class Tls : public ::testing::Test {
 protected:
  embedded::TemporaryFolder folder_;
  support::Certificates certificates_{folder_.path()};
  support::Certificates::Pair ours_ = certificates_.authority("ours");
  support::Certificates::Pair theirs_ = certificates_.authority("theirs");
  support::Certificates::Pair right_ = certificates_.signed_by("ours", "right", "IP:127.0.0.1,DNS:localhost");
  support::Certificates::Pair expired_ = certificates_.signed_by("ours", "expired", "IP:127.0.0.1,DNS:localhost", -1);
  support::Certificates::Pair elsewhere_ = certificates_.signed_by("ours", "elsewhere", "DNS:elsewhere.example");
  support::Certificates::Pair client_ = certificates_.signed_by("ours", "secured", "DNS:secured");
  support::Certificates::Pair stranger_ = certificates_.signed_by("theirs", "stranger", "DNS:secured");
};

class TlsToNats : public Tls {
 protected:
  embedded::NatsServer server(const support::Certificates::Pair& pair) const {
    return embedded::NatsServer({.folder = folder_.path() / ("nats-" + pair.certificate.stem().string()),
                                 .extra_config = "tls { cert_file: \"" + pair.certificate.string() +
                                                 "\", key_file: \"" + pair.key.string() + "\", ca_file: \"" +
                                                 ours_.certificate.string() + "\", verify: true }\n"});
  }
  static std::string try_it(const embedded::NatsServer& server, const fs::path& ca,
                            const support::Certificates::Pair& own) {
    return refusal([&] {
      return jetstream::connect({.url = server.url(),
                                 .client_name = "payment",
                                 .tls_ca = ca.string(),
                                 .tls_certificate = own.certificate.string(),
                                 .tls_key = own.key.string(),
                                 .connect_timeout = patience});
    });
  }
};

TEST_F(TlsToNats, LetsInWhoIsRightAndNobodyElse) {
  const auto right = server(right_);
  EXPECT_EQ(try_it(right, ours_.certificate, client_), "");
  EXPECT_NE(try_it(right, theirs_.certificate, client_), "") << "a server of another authority";
  EXPECT_NE(try_it(right, ours_.certificate, stranger_), "") << "a client of another authority";
  EXPECT_NE(try_it(right, ours_.certificate, {}), "") << "a client without a certificate";
  EXPECT_NE(try_it(right, "", {}), "") << "a client without TLS";
}

TEST_F(TlsToNats, TrustsNoServerWhoseCertificateHasExpiredOrIsForAnotherHost) {
  const auto expired = server(expired_);
  EXPECT_NE(try_it(expired, ours_.certificate, client_), "");
  const auto elsewhere = server(elsewhere_);
  EXPECT_NE(try_it(elsewhere, ours_.certificate, client_), "");
}

class TlsToPostgres : public Tls {
 protected:
  void SetUp() override {
    use(right_);
    {
      std::ofstream hba(folder_.path() / "hba.conf");
      hba << "hostssl all secured 127.0.0.1/32 cert\nhost all secured 127.0.0.1/32 reject\n"
          << "host all all 127.0.0.1/32 scram-sha-256\n";
    }
    server_.emplace(
        embedded::PostgresServer::Options{.folder = folder_.path() / "postgres",
                                          .settings = {{"ssl", "on"},
                                                       {"ssl_cert_file", served("server.pem").string()},
                                                       {"ssl_key_file", served("server.key").string()},
                                                       {"ssl_ca_file", ours_.certificate.string()},
                                                       {"hba_file", (folder_.path() / "hba.conf").string()}}});
    migrate::apply(server_->conninfo("postgres"), migrate::find(migrate::default_folder(), ""), false);
    migrate::grant_service_role(server_->conninfo("postgres"), "secured", "unused");
  }
  [[nodiscard]] fs::path served(const char* file) const { return folder_.path() / file; }
  /// The server refuses a key that others can read, and as root it runs as somebody else.
  void use(const support::Certificates::Pair& pair) const {
    fs::copy_file(pair.certificate, served("server.pem"), fs::copy_options::overwrite_existing);
    fs::copy_file(pair.key, served("server.key"), fs::copy_options::overwrite_existing);
    fs::permissions(served("server.key"), fs::perms::owner_read | fs::perms::owner_write);
    if (const auto* user = ::getpwnam("postgres"); ::geteuid() == 0 && user != nullptr) {
      ASSERT_EQ(::chown(served("server.key").c_str(), user->pw_uid, user->pw_gid), 0);
    }
  }
  void restart_with(const support::Certificates::Pair& pair) {
    server_->stop();
    use(pair);
    server_->start();
  }
  [[nodiscard]] std::string try_it(const std::string& tls) const {
    const auto url = "host=127.0.0.1 dbname=postgres user=secured port=" + std::to_string(server_->port()) + " " + tls;
    return refusal(
        [&] { return postgres::connect({.url = url, .application_name = "payment", .connect_timeout = patience}); });
  }
  [[nodiscard]] static std::string full(const support::Certificates::Pair& authority,
                                        const support::Certificates::Pair& own) {
    return "sslmode=verify-full sslrootcert=" + authority.certificate.string() +
           " sslcert=" + own.certificate.string() + " sslkey=" + own.key.string();
  }

  std::optional<embedded::PostgresServer> server_;
};

TEST_F(TlsToPostgres, LetsInWhoIsRightAndNobodyElse) {
  EXPECT_EQ(try_it(full(ours_, client_)), "");
  EXPECT_NE(try_it(full(theirs_, client_)), "") << "a server of another authority";
  EXPECT_NE(try_it(full(ours_, stranger_)), "") << "a client of another authority";
  EXPECT_NE(try_it(full(ours_, right_)), "") << "a certificate of another role";
  EXPECT_NE(try_it("sslmode=verify-full sslcert=none sslrootcert=" + ours_.certificate.string()), "")
      << "a client without a certificate";
  EXPECT_NE(try_it("sslmode=disable"), "") << "a client without TLS";
  restart_with(expired_);
  EXPECT_NE(try_it(full(ours_, client_)), "") << "expired";
  restart_with(elsewhere_);
  EXPECT_NE(try_it(full(ours_, client_)), "") << "for another host";
  restart_with(right_);
  EXPECT_EQ(try_it(full(ours_, client_)), "");
}

}  // namespace
}  // namespace quadrille
