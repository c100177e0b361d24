#pragma once

#include "contract/model.hpp"
#include "core/stream_name.hpp"
#include "quadrille/participant.hpp"

#include <google/protobuf/message.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::runtime {

using MessagePtr = std::unique_ptr<google::protobuf::Message>;

/// A timer step and the time after which it runs.
struct PlannedTimer {
  std::string step;
  std::chrono::milliseconds after{0};
};

/// One step with everything looked up that a run of it needs.
struct PlannedStep {
  const contract::Step* declared = nullptr;
  int index = 0;                      ///< in the contract
  std::vector<PlannedTimer> timers;   ///< armed when this step records something
  bool arms_what_it_chooses = false;  ///< only timers that it sets a time for; of an orchestrated saga
  std::map<std::string, const google::protobuf::FieldDescriptor*> trigger_field;  ///< by event; empty unless a join

  [[nodiscard]] bool is_compensation() const { return declared->kind == v1::COMPENSATION; }
};

/// A participant's part in its sagas: the contract its program is linked with, verified, and made quick to use.
/// Immutable after construction; thread-safe.
class Part {
 public:
  /// `timeouts` replaces the times of timer steps, by step name. Throws Error(stop) when the contract has a fault, the
  /// generated code is older or newer than the linked contract, or a name in `timeouts` is no timer step.
  explicit Part(Participant& participant, const std::map<std::string, std::chrono::milliseconds>& timeouts = {});

  [[nodiscard]] Participant& participant() const { return participant_; }
  [[nodiscard]] const contract::Participant& declared() const { return model_.participants.front(); }
  [[nodiscard]] const std::string& name() const { return declared().name; }
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }
  [[nodiscard]] StreamName stream_of(const std::string& key) const { return {declared().aggregate, key}; }
  /// Its aggregate with this key; and where it commands others, the streams of its commands, one for each of them.
  [[nodiscard]] std::vector<StreamName> streams_of(const std::string& key) const;
  [[nodiscard]] bool orchestrates() const { return declared().orchestration.has_value(); }

  /// The steps an event starts; none where the participant only lets it pass.
  [[nodiscard]] const std::vector<const PlannedStep*>& started_by(const std::string& event_type) const;
  /// Whether the type is one of the contexts' that this program was built with, or one that it upcasts.
  [[nodiscard]] bool knows(const std::string& event_type) const;
  [[nodiscard]] bool upcasts(const std::string& event_type) const { return upcasters_.knows(event_type); }
  /// By rpc name; throws Error(stop) when there is none.
  [[nodiscard]] const PlannedStep& step(std::string_view name) const;

  /// Bytes -> message. Throws Error(park) for bytes that do not parse or a type that is not linked.
  [[nodiscard]] MessagePtr parse(const std::string& type, const std::string& payload) const;
  /// What a recorded event says today: itself, or what the participant's upcasters make of it. Throws as parse() does.
  [[nodiscard]] std::vector<MessagePtr> read(const std::string& type, const std::string& payload) const;
  /// The input a step wants for an event: the event itself, or a trigger message with that event in its field.
  [[nodiscard]] MessagePtr trigger_for(const PlannedStep& step, MessagePtr event) const;
  /// What is in the key field; empty where it is unset.
  [[nodiscard]] std::string key_of(const google::protobuf::Message& message) const;
  void set_key(google::protobuf::Message& message, const std::string& key) const;
  /// The events of an outcome in declaration order. Throws Error(park) when a group of it is unset, but for what an
  /// orchestrated saga says: that is whatever is set.
  [[nodiscard]] std::vector<google::protobuf::Message*> events_of(const PlannedStep& step,
                                                                  google::protobuf::Message& outcome) const;
  [[nodiscard]] const contract::EventType& event_type(const std::string& name) const;

 private:
  void upcast(const std::string& type, const std::string& payload, int depth, std::vector<MessagePtr>& today) const;
  void plan(const std::map<std::string, std::chrono::milliseconds>& timeouts);

  Participant& participant_;
  contract::Model model_;
  std::string fingerprint_;
  std::vector<std::unique_ptr<PlannedStep>> steps_;
  std::map<std::string, std::vector<const PlannedStep*>> started_by_;
  Upcasters upcasters_;
  std::vector<std::string> command_categories_;
};

}  // namespace quadrille::runtime
