#pragma once

#include "dev/system.hpp"
#include "support/tcp_link.hpp"

#include <array>
#include <map>
#include <memory>
#include <random>
#include <string>

namespace quadrille::chaos {

enum class Fault {
  kill_service,      ///< SIGKILL, and started again
  freeze_service,    ///< SIGSTOP for longer than its leases last: it wakes up as a zombie
  kill_nats,         ///< SIGKILL, and started again
  kill_postgres,     ///< SIGKILL, and started again
  cut_nats,          ///< between one participant and NATS
  stall_nats,        ///< no byte moves, and nobody is told
  slow_nats,         ///< every piece is late
  cut_postgres,      ///< between one participant and its database
  stall_postgres,    ///< a commit may be in doubt
  slow_postgres,     ///< every piece is late
  end_sessions,      ///< PostgreSQL ends all of one participant's
  take_connections,  ///< until PostgreSQL has none left
  lock_tables,       ///< somebody else's transaction holds what every step needs
};
inline constexpr std::array all_faults{
    Fault::kill_service, Fault::freeze_service,   Fault::kill_nats,    Fault::kill_postgres,  Fault::cut_nats,
    Fault::stall_nats,   Fault::slow_nats,        Fault::cut_postgres, Fault::stall_postgres, Fault::slow_postgres,
    Fault::end_sessions, Fault::take_connections, Fault::lock_tables};
[[nodiscard]] std::string name_of(Fault fault);

/// The ways of every participant to its servers.
struct Links {
  std::map<std::string, std::unique_ptr<support::TcpLink>> nats;
  std::map<std::string, std::unique_ptr<support::TcpLink>> postgres;
};

/// Does it to a participant and instance drawn from `random`, and mends it: everything is well when it returns.
void inflict(Fault fault, dev::System& system, Links& links, std::mt19937_64& random);

inline constexpr std::array<const char*, 4> participants{"order", "payment", "inventory", "shipping"};
inline constexpr int instances = 2;

}  // namespace quadrille::chaos
