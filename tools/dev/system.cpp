#include "dev/system.hpp"

#include "core/uuid.hpp"
#include "embedded/private_file.hpp"
#include "embedded/probe.hpp"
#include "migrate/log_tailing.hpp"
#include "migrate/migrate.hpp"

#include <httplib.h>
#include <pqxx/pqxx>

#include <csignal>
#include <stdexcept>
#include <utility>

namespace quadrille::dev {
namespace {

/// Its role owns the database, so that the program can make what it needs.
void own_database(const std::string& server_url, const std::string& name, const std::string& password) {
  pqxx::connection connection(server_url);
  pqxx::nontransaction work(connection);
  const auto role = work.quote_name(name);
  if (work.exec("SELECT FROM pg_roles WHERE rolname = " + work.quote(name)).empty())
    work.exec("CREATE ROLE " + role + " LOGIN");
  work.exec("ALTER ROLE " + role + " PASSWORD " + work.quote(password));
  work.exec("ALTER DATABASE " + role + " OWNER TO " + role);
}

/// The address with another port, where the participant has one. `before_port` is what stands before it: the digits
/// alone may be part of a password.
std::string through(std::string url, const std::string& before_port, int port, const std::map<std::string, int>& others,
                    const std::string& participant) {
  const auto other = others.find(participant);
  if (other == others.end()) return url;
  const auto direct = before_port + std::to_string(port);
  return url.replace(url.find(direct), direct.size(), before_port + std::to_string(other->second));
}

}  // namespace

System::System(Options options) : options_(std::move(options)) {
  options_.progress("starting NATS");
  nats_ =
      std::make_unique<embedded::NatsCluster>(embedded::NatsCluster::Options{.folder = options_.folder / "nats",
                                                                             .servers = options_.nats_servers,
                                                                             .extra_config = options_.nats_config,
                                                                             .environment = options_.nats_environment});
  options_.progress("starting PostgreSQL");
  postgres_ = std::make_unique<embedded::PostgresServer>(
      embedded::PostgresServer::Options{.folder = options_.folder / "postgres"});
  for (const auto& service : options_.services) {
    options_.progress("preparing the database of " + service.participant);
    prepare_database(service);
  }
}

void System::prepare_database(const ServiceSpec& service) {
  const auto& name = service.participant;
  {
    pqxx::connection connection(postgres_->conninfo("postgres"));
    pqxx::nontransaction work(connection);
    if (work.exec("SELECT FROM pg_database WHERE datname = " + work.quote(name)).empty())
      work.exec("CREATE DATABASE " + work.quote_name(name));
  }
  passwords_[name] = new_uuid();
  if (service.owns_schema) return own_database(postgres_->conninfo("postgres"), name, passwords_[name]);
  const auto url = owner_url(name);
  migrate::apply(
      url, migrate::find(options_.migrations.empty() ? migrate::default_folder() : options_.migrations, name), false);
  migrate::grant_service_role(url, name, passwords_[name]);
  if (options_.log_tailing) migrate::prepare_log_tailing(url, name);
}

std::string System::nats_url(const std::string& user) const {
  const auto password = options_.nats_passwords.find(user);
  return password == options_.nats_passwords.end() ? nats_->url() : nats_->url(user, password->second);
}

std::string System::service_url(const std::string& participant) const {
  return postgres_->conninfo(participant, participant, passwords_.at(participant));
}

std::string System::owner_url(const std::string& participant) const { return postgres_->conninfo(participant); }

std::string System::id(const std::string& participant, int instance) {
  return participant + "-" + std::to_string(instance);
}

const ServiceSpec& System::spec(const std::string& participant) const {
  for (const auto& service : options_.services)
    if (service.participant == participant) return service;
  throw std::out_of_range("there is no participant " + participant);
}

void System::start(const std::string& participant, int instance) {
  const auto& service = spec(participant);
  const auto name = id(participant, instance);
  if (!http_ports_.contains(name)) http_ports_[name] = embedded::free_port();
  auto environment = service.environment;
  if (options_.log_tailing) environment["QUADRILLE_RELAY"] = "log-tailing";
  environment["QUADRILLE_NATS_URL"] =
      through(nats_url(participant), "127.0.0.1:", nats_->server(0).port(), options_.nats_through, participant);
  for (const auto& [variable, user] : service.further_users) environment[variable] = nats_url(user);
  environment["QUADRILLE_REPLICAS"] = std::to_string(nats_->size());
  environment["QUADRILLE_DATABASE_URL"] =
      through(service_url(participant), "port=", postgres_->port(), options_.postgres_through, participant);
  environment["QUADRILLE_INSTANCE"] = name;
  environment["QUADRILLE_HTTP"] = http(participant, instance);
  processes_.erase(name);
  processes_.emplace(name, embedded::ChildProcess({.arguments = {service.program.string()},
                                                   .environment = environment,
                                                   .output = log(participant, instance)}));
}

void System::start_all() {
  for (const auto& service : options_.services) start(service.participant);
}

void System::await_ready(const std::string& participant, int instance) {
  httplib::Client client("http://" + http(participant, instance));
  client.set_connection_timeout(1);
  client.set_read_timeout(2);
  constexpr std::chrono::seconds patience{60};
  auto& service = process(participant, instance);
  const auto ready = [&] {
    const auto answer = client.Get("/ready");
    return answer && answer->status == 200;
  };
  if (!embedded::await([&] { return !service.running() || ready(); }, patience) || !service.running())
    throw std::runtime_error("service " + id(participant, instance) + " is not ready:\n" +
                             embedded::tail(log(participant, instance)));
}

void System::await_all_ready() {
  for (const auto& service : options_.services) await_ready(service.participant);
}

embedded::ChildProcess& System::process(const std::string& participant, int instance) {
  return processes_.at(id(participant, instance));
}

std::string System::http(const std::string& participant, int instance) const {
  return "127.0.0.1:" + std::to_string(http_ports_.at(id(participant, instance)));
}

std::filesystem::path System::log(const std::string& participant, int instance) const {
  return options_.folder / (id(participant, instance) + ".log");
}

std::map<std::string, System::End> System::ended() {
  std::map<std::string, End> ends;
  for (auto& [name, process] : processes_)
    if (const auto code = process.wait(std::chrono::milliseconds(0)))
      ends.emplace(name, End{*code, options_.folder / (name + ".log")});
  for (std::size_t i = 0; i < nats_->size(); ++i)
    if (const auto code = nats_->server(i).ended())
      ends.emplace("nats-" + std::to_string(i + 1), End{*code, nats_->server(i).log()});
  if (const auto code = postgres_->ended()) ends.emplace("postgresql", End{*code, postgres_->log()});
  return ends;
}

std::map<std::string, int> System::stop_services() {
  for (auto& [name, process] : processes_) process.signal(SIGTERM);
  std::map<std::string, int> codes;
  constexpr std::chrono::seconds patience{40};
  for (auto& [name, process] : processes_) codes[name] = process.stop(patience);
  processes_.clear();
  return codes;
}

ServiceSpec tracker_service(const std::filesystem::path& binaries, const std::filesystem::path& folder) {
  const auto token = folder / "tracker-token";
  if (!std::filesystem::exists(token)) embedded::write_private(token, new_uuid());
  return {"tracker",
          binaries / "quadrille-tracker",
          {{"QUADRILLE_TOKEN_FILE", token.string()}},
          true,
          {{"QUADRILLE_OPERATOR_NATS_URL", "operator"}}};
}

std::vector<ServiceSpec> shop_services(const std::filesystem::path& binaries) {
  std::vector<ServiceSpec> services;
  for (const auto* participant : {"order", "payment", "inventory", "shipping"})
    services.push_back({participant, binaries / (std::string("shop-") + participant), {}});
  return services;
}

}  // namespace quadrille::dev
