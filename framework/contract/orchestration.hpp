#pragma once

#include "contract/model.hpp"

#include <functional>
#include <string>
#include <vector>

namespace google::protobuf {
class Descriptor;
class FieldDescriptor;
class ServiceDescriptor;
}  // namespace google::protobuf

/// Orchestrated sagas in contracts: how a service declares one, which steps its participant has because of that, and
/// what no such saga may be.
namespace quadrille::contract {

/// What the reader of a whole contract lends to that of a saga.
struct OrchestrationReader {
  std::function<void(const google::protobuf::Descriptor&)> event;  ///< takes an event into the model
  std::function<Location(const google::protobuf::MethodDescriptor&)> locate;
  std::function<void(const Location&, std::string what, std::string repair)> fault;
};

/// Reads a service with the option quadrille.v1.orchestration.
[[nodiscard]] Orchestration read_orchestration(const google::protobuf::ServiceDescriptor& service,
                                               const OrchestrationReader& reader);

/// The steps of the participant that conducts the saga: one for what follows each reply, one more for what follows a
/// no (<Step>No), and those that are begun by a command, by the clock and by a person. What is said is what may be said
/// next on each way: a command that is only repeated is not among it.
[[nodiscard]] std::vector<Step> steps_of(const Orchestration& saga, const google::protobuf::ServiceDescriptor& service,
                                         const std::string& participant, const OrchestrationReader& reader);

/// The names of the steps that the clock and a person run.
inline constexpr const char* time_out_step = "TimeOut";
inline constexpr const char* continue_step = "Continue";

/// A law of orchestrated sagas that one breaks; `code` is the checker's rule.
struct BrokenLaw {
  std::string code;
  Location location;
  std::string step;  ///< empty where it is about the whole
  std::string what;
  std::string repair;
};
/// QDR135 to QDR138: exactly one pivot, nothing undone after it, everything before it can be undone, and each reply
/// belongs to one step.
[[nodiscard]] std::vector<BrokenLaw> broken_laws(const Orchestration& saga, const Location& place);

/// The field of that message type; nullptr where there is none.
[[nodiscard]] const google::protobuf::FieldDescriptor* field_of_type(const google::protobuf::Descriptor& message,
                                                                     const std::string& type);

}  // namespace quadrille::contract
