#pragma once

#include "checker/graph.hpp"

#include <google/protobuf/descriptor.h>

#include <string>

/// What follows from the contracts for others to use. Equal contracts give equal bytes.
namespace quadrille::exports {

/// AsyncAPI 3.0 as JSON, from the view of one participant: a channel a subject, `send` for what its steps say,
/// `receive` for what they hear. Payloads are JSON Schemas of the protobuf JSON mapping; what AsyncAPI has no word for
/// stands under x-quadrille-*.
[[nodiscard]] std::string asyncapi(const contract::Model& model, const contract::Participant& participant,
                                   const google::protobuf::DescriptorPool& pool);

/// The saga as Markdown for a review: a row a step, who undoes what, how it ends. After the choreography canvas of
/// Microservices Patterns.
[[nodiscard]] std::string canvas(const checker::Graph& graph, const checker::SagaView& saga);

/// Streams and durable consumers that the broker needs, as JSON in the words of its API.
[[nodiscard]] std::string streams(const contract::Model& model);

/// Alert rules of Prometheus for the objectives that steps declare and the deadlines that sagas have.
[[nodiscard]] std::string alert_rules(const contract::Model& model);

}  // namespace quadrille::exports
