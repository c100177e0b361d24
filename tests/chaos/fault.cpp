#include "chaos/fault.hpp"

#include <pqxx/pqxx>

#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

namespace quadrille::chaos {
namespace {

using namespace std::chrono_literals;
using support::TcpLink;

void disturb(TcpLink& link, TcpLink::State state, std::chrono::milliseconds length) {
  link.set(state);
  std::this_thread::sleep_for(length);  // what is tested is this time
  link.set(TcpLink::State::open);
}

void take_connections(const std::string& url) {
  std::vector<std::unique_ptr<pqxx::connection>> taken;
  constexpr std::size_t more_than_there_are = 200;
  try {
    while (taken.size() < more_than_there_are) taken.push_back(std::make_unique<pqxx::connection>(url));
  } catch (const pqxx::failure&) {  // none left
  }
  std::this_thread::sleep_for(1s);
}

void lock_tables(const std::string& url) {
  pqxx::connection connection(url);
  pqxx::work work(connection);
  work.exec("LOCK quadrille.applied, quadrille.leases IN ACCESS EXCLUSIVE MODE");
  std::this_thread::sleep_for(1500ms);
  work.commit();
}

void end_sessions(const std::string& url, const std::string& participant) {
  pqxx::connection connection(url);
  pqxx::nontransaction work(connection);
  work.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = " + work.quote(participant));
}

}  // namespace

std::string name_of(Fault fault) {
  constexpr std::array names{"kill service",     "freeze service",  "kill NATS",    "kill PostgreSQL",
                             "cut NATS",         "stall NATS",      "slow NATS",    "cut PostgreSQL",
                             "stall PostgreSQL", "slow PostgreSQL", "end sessions", "take connections",
                             "lock tables"};
  return names.at(static_cast<std::size_t>(fault));
}

void inflict(Fault fault, dev::System& system, Links& links, std::mt19937_64& random) {
  const std::string victim = participants.at(random() % participants.size());
  const auto instance = static_cast<int>(random() % instances);
  const std::chrono::milliseconds while_it_lasts(500 + random() % 1'500);
  auto& nats = *links.nats.at(victim);
  auto& postgres = *links.postgres.at(victim);
  switch (fault) {
    case Fault::kill_service:
      system.process(victim, instance).kill();
      return system.start(victim, instance);
    case Fault::freeze_service:
      system.process(victim, instance).signal(SIGSTOP);
      std::this_thread::sleep_for(3s);  // a lease is 2 s here
      return system.process(victim, instance).signal(SIGCONT);
    case Fault::kill_nats:
      system.nats().kill();
      return system.nats().start();
    case Fault::kill_postgres:
      system.postgres().kill();
      return system.postgres().start();
    case Fault::cut_nats:
      return disturb(nats, TcpLink::State::cut, while_it_lasts);
    case Fault::stall_nats:
      return disturb(nats, TcpLink::State::stalled, while_it_lasts);
    case Fault::slow_nats:
      return disturb(nats, TcpLink::State::slow, while_it_lasts);
    case Fault::cut_postgres:
      return disturb(postgres, TcpLink::State::cut, while_it_lasts);
    case Fault::stall_postgres:
      return disturb(postgres, TcpLink::State::stalled, while_it_lasts);
    case Fault::slow_postgres:
      return disturb(postgres, TcpLink::State::slow, while_it_lasts);
    case Fault::end_sessions:
      return end_sessions(system.owner_url(victim), victim);
    case Fault::take_connections:
      return take_connections(system.owner_url(victim));
    case Fault::lock_tables:
      return lock_tables(system.owner_url(victim));
  }
}

}  // namespace quadrille::chaos
