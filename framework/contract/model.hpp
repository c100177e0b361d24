#pragma once

#include "quadrille/v1/options.pb.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace google::protobuf {
class Descriptor;
class FileDescriptor;
class ServiceDescriptor;
}  // namespace google::protobuf

/// What the contracts of a system say, as plain values: participants, their steps, the events between them, the sagas.
/// Built from protobuf descriptors (linked, of a descriptor set, or handed to a protoc plugin). Names are full protobuf
/// names unless said otherwise. Everything is in a fixed order: equal contracts give equal models.
namespace quadrille::contract {

/// Where something is declared. Line and column from 1; 0 where the descriptors carry no source information.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

struct Field {
  std::string name;
  std::string type;    ///< as the .proto says it: string, repeated uint32, shop.v1.Address
  bool text = false;   ///< string or bytes: may hold anything
  bool token = false;  ///< declared to be safe in a subject
};

struct EventType {
  std::string name;        ///< shop.order.v1.OrderPlaced
  std::string short_name;  ///< OrderPlaced
  std::string context;     ///< the participant that owns it
  std::string aggregate;   ///< category of its streams
  bool shared = false;     ///< several sagas work on one instance of the aggregate
  std::string key_field;   ///< empty where none is declared (a fault)
  bool failure = false;
  bool is_public = false;
  std::vector<v1::SagaRole> roles;
  std::vector<std::string> personal_fields;  ///< fields that hold direct personal data
  std::vector<Field> fields;
  std::string subject;      ///< template of its own where it is not on the framework's subjects
  bool deprecated = false;  ///< as protobuf says it
  bool lite = false;        ///< its file leaves out descriptors: nothing of it can be read at run time
  std::string command_to;   ///< the participant it commands; empty for a fact
  Location location;

  [[nodiscard]] const Field* find_field(std::string_view field) const;
  /// As a pattern: `*` stands for what is filled in.
  [[nodiscard]] std::string subject_pattern() const;
};

/// One group of an outcome: a `oneof` (exactly one of) or a plain field (always).
struct OutcomeGroup {
  bool exclusive = false;
  bool may_be_nothing = false;  ///< a member is quadrille.v1.Nothing
  std::vector<std::string>
      fields;  ///< names of the fields, parallel to `events`; empty name where the rpc returns the event itself
  std::vector<std::string> events;
};

enum class Start { event, all_of, any_of, timer, command };

struct Timeout {
  std::string armed_by;
  std::chrono::milliseconds after{0};
};

struct Bound {
  std::string loop;
  std::uint32_t max = 0;
  std::string exit;
  std::vector<std::string> resets;
};

struct Step {
  std::string name;         ///< rpc name, Authorize; in an orchestrated saga what follows a no is a step of its own
  std::string rpc;          ///< that runs it
  std::string participant;  ///< payment
  std::string service;      ///< shop.payment.v1.PaymentSteps
  v1::StepKind kind = v1::STEP_KIND_UNSPECIFIED;
  Start start = Start::event;
  std::string input;                  ///< message name of the rpc's input
  std::vector<std::string> triggers;  ///< events that start it; empty for timer and command
  std::vector<std::string>
      trigger_fields;  ///< parallel to triggers: fields of the trigger message; empty names for Start::event
  std::string output;  ///< message name of the rpc's output
  std::vector<OutcomeGroup> outcomes;
  std::string compensated_by;
  std::optional<Timeout> timeout;
  std::optional<Bound> bound;
  bool null_safe = false;
  std::vector<std::string> settles;
  std::vector<std::string> sagas;
  v1::Write write = v1::WRITE_UNSPECIFIED;
  std::vector<std::string> holds;
  std::vector<std::string> releases;
  std::vector<std::string> needs;
  std::string idempotency_key;
  std::chrono::milliseconds objective{0};
  bool perpetual = false;
  bool new_instance = false;
  std::vector<std::string> input_fields;  ///< of the message that starts it, where that is a command
  Location location;

  /// `payment.Authorize`
  [[nodiscard]] std::string full_name() const { return participant + "." + name; }
  /// Every event it may emit, each once, in declaration order.
  [[nodiscard]] std::vector<std::string> emits() const;
};

/// One step of an orchestrated saga, or the undoing of one: a command and what is answered.
struct OrchestratedStep {
  std::string name;  ///< rpc name
  v1::StepKind kind = v1::STEP_KIND_UNSPECIFIED;
  std::string command;                    ///< message name
  std::string participant;                ///< that is commanded
  std::string reply;                      ///< message name of the rpc's output
  std::vector<std::string> reply_fields;  ///< parallel to ok and then no; empty name where the rpc returns the event
  std::vector<std::string> ok;            ///< events
  std::vector<std::string> no;            ///< events that are failures
  std::string compensated_by;
  std::string group;
  std::chrono::milliseconds timeout{0};
  std::chrono::milliseconds patience{0};
  Location location;
};

/// A saga that is conducted from one place, as its service declares it.
struct Orchestration {
  std::string start;    ///< rpc that begins it
  std::string says;     ///< message name: what the saga may say, one field each
  std::string context;  ///< message name: what it remembers
  std::string started;  ///< its own events, by message name
  std::string moved;
  std::string completed;
  std::string cancelled;
  std::size_t context_limit = 0;        ///< bytes
  std::vector<OrchestratedStep> steps;  ///< in the order of the rpcs, compensations among them

  [[nodiscard]] const OrchestratedStep* find_step(std::string_view name) const;
};

/// A durable consumer of an external participant.
struct Consumer {
  std::string name;
  std::string stream;
  std::vector<std::string> filters;
  std::uint32_t max_deliver = 0;  ///< 0: for ever
  std::chrono::milliseconds ack_wait{0};
  bool parks = false;
};

struct Participant {
  std::string name;
  std::string owner;
  std::string description;  ///< the comment above its service
  bool external = false;
  bool from_beginning = false;
  std::string service;  ///< full name of the protobuf service
  std::string package;
  std::string aggregate;  ///< category of its own streams, from the events it emits; its name where it emits none
  std::vector<Step> steps;
  std::vector<Consumer> consumers;
  std::optional<Orchestration> orchestration;  ///< of one that conducts a saga
  Location location;

  [[nodiscard]] const Step* find_step(std::string_view name) const;
  /// Contexts whose events it hears, each once, sorted.
  std::vector<std::string> hears;
};

struct Saga {
  std::string name;
  std::chrono::milliseconds deadline{0};
  Location location;
};

/// A stream of the broker that the contracts declare. The framework's own, EVT, is not among them.
struct BrokerStream {
  std::string name;
  std::vector<std::string> subjects;
  v1::BrokerStream::Retention retention = v1::BrokerStream::LIMITS;
  std::chrono::milliseconds max_age{0};           ///< 0: for ever
  std::chrono::milliseconds duplicate_window{0};  ///< 0: the broker's default
  Location location;
};

/// A fault found while reading descriptors: what cannot be said in a model at all. (What a model says wrongly is the
/// checker's business.)
struct Fault {
  Location location;
  std::string what;
  std::string repair;
};

struct Model {
  std::vector<Participant> participants;    ///< by name
  std::map<std::string, EventType> events;  ///< by full name
  std::vector<Saga> sagas;                  ///< by name
  std::vector<BrokerStream> streams;        ///< by name

  [[nodiscard]] const Participant* find_participant(std::string_view name) const;
  [[nodiscard]] const EventType* find_event(std::string_view name) const;
  [[nodiscard]] const Saga* find_saga(std::string_view name) const;
};

struct Reading {
  Model model;
  std::vector<Fault> faults;  ///< the model is not to be used unless empty
};

/// Reads every service with a participant option and every message with an event option in the files (not in their
/// imports). The descriptors need options.pb.cc linked; otherwise the options are unknown fields and nothing is found.
[[nodiscard]] Reading read(std::span<const google::protobuf::FileDescriptor* const> files);

/// The model of one participant from its linked service descriptor, with the events its steps hear and emit.
[[nodiscard]] Reading read_participant(const google::protobuf::ServiceDescriptor& service);

}  // namespace quadrille::contract
