#pragma once

#include "checker/finding.hpp"
#include "checker/graph.hpp"
#include "jetstream/server_api.hpp"
#include "postgres/server_settings.hpp"

#include <map>
#include <string>
#include <vector>

/// A running server against what the contracts ask for. Looking changes nothing.
namespace quadrille::inspect {

/// Streams and consumers as a server tells them, in the words of JetStream's API (JSON text).
struct BrokerFacts {
  std::map<std::string, std::string> streams;                           ///< name -> configuration
  std::map<std::string, std::map<std::string, std::string>> consumers;  ///< stream -> name -> configuration
};

/// Throws Error when the server does not answer.
[[nodiscard]] BrokerFacts read_broker(const jetstream::ServerApi& api);

/// QDR106 (subjects nobody or two keep), QDR190 (duplicate window), QDR191 (age against deadlines), QDR192 (consumers
/// that give up), QDR193 (missing, or not as the contract wants it), QDR194 (consumers nobody asks for).
[[nodiscard]] std::vector<checker::Finding> judge_broker(const BrokerFacts& facts, const checker::Graph& graph,
                                                         const std::vector<checker::SagaView>& sagas);

/// QDR195: what the user of the connection may publish beyond the contract of `participant`, and what it may not of it.
/// Asks with messages that no stream keeps (they expect a stream that is not there).
[[nodiscard]] std::vector<checker::Finding> probe_permissions(const jetstream::ServerApi& api,
                                                              const contract::Model& model,
                                                              const contract::Participant& participant);

/// Settings of PostgreSQL that judge_database looks at, separated by commas.
extern const char* const database_settings;

/// QDR196: settings that lose data, or let a forgotten slot or session do harm; rights that a service must not have.
[[nodiscard]] std::vector<checker::Finding> judge_database(const postgres::ServerFacts& facts);

}  // namespace quadrille::inspect
