#include "runtime/part.hpp"

#include "contract/fingerprint.hpp"
#include "contract/orchestration.hpp"
#include "quadrille/error.hpp"

#include <algorithm>
#include <set>

namespace quadrille::runtime {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::MessageFactory;

const Descriptor* linked(const std::string& type) {
  return DescriptorPool::generated_pool()->FindMessageTypeByName(type);
}

/// The one field with the key option; nullptr where there is none.
const FieldDescriptor* key_field(const Descriptor& type) {
  for (int i = 0; i < type.field_count(); ++i)
    if (type.field(i)->options().GetExtension(v1::field).key()) return type.field(i);
  return nullptr;
}

std::string faults_text(const std::vector<contract::Fault>& faults) {
  std::string text;
  for (const auto& fault : faults) text += "\n  " + fault.location.file + ": " + fault.what + "; " + fault.repair;
  return text;
}

/// An orchestrated saga that breaks a law of such sagas is not begun.
void check_laws(const contract::Participant& participant) {
  if (!participant.orchestration) return;
  std::string text;
  for (const auto& law : contract::broken_laws(*participant.orchestration, participant.location))
    text += "\n  " + law.location.file + (law.location.line > 0 ? ":" + std::to_string(law.location.line) : "") + ": " +
            law.code + ": " + law.what + "; " + law.repair;
  if (!text.empty())
    throw Error(Disposition::stop, "the saga that " + participant.name + " conducts cannot be run:" + text +
                                       "\n`quadrille check` says the same before the program is built");
}

}  // namespace

Part::Part(Participant& participant, const std::map<std::string, std::chrono::milliseconds>& timeouts)
    : participant_(participant), fingerprint_(contract::fingerprint(participant.contract())) {
  auto reading = contract::read_participant(participant.contract());
  if (!reading.faults.empty())
    throw Error(Disposition::stop,
                "the contract of " + participant.contract().full_name() + " has faults:" + faults_text(reading.faults));
  if (participant.fingerprint() != fingerprint_)
    throw Error(Disposition::stop, "contract drift: the steps of " + participant.contract().full_name() +
                                       " were generated from contract " +
                                       std::string(participant.fingerprint()).substr(0, 12) + " but contract " +
                                       fingerprint_.substr(0, 12) +
                                       " is linked; build generated headers and services again from one tree");
  model_ = std::move(reading.model);
  check_laws(declared());
  participant.upcasters(upcasters_);
  plan(timeouts);
}

std::vector<StreamName> Part::streams_of(const std::string& key) const {
  std::vector<StreamName> streams{stream_of(key)};
  for (const auto& category : command_categories_) streams.push_back({category, key});
  return streams;
}

void Part::plan(const std::map<std::string, std::chrono::milliseconds>& timeouts) {
  const auto& contract = participant_.contract();
  if (orchestrates() && !timeouts.empty())
    throw Error(Disposition::stop, "setting timeout: '" + timeouts.begin()->first + "' cannot be set for " + name() +
                                       ", which conducts a saga; its contract says how long each step may take");
  for (const auto& [name, after] : timeouts) {
    const auto* timer = declared().find_step(name);
    if (timer == nullptr || !timer->timeout)
      throw Error(Disposition::stop, "setting timeout: '" + name + "' is not a timer step of " + this->name() +
                                         "; its contract says which steps have a timeout");
  }
  std::set<std::string> categories;
  for (const auto& [name, event] : model_.events)
    if (orchestrates() && !event.command_to.empty()) categories.insert(event.aggregate);
  command_categories_.assign(categories.begin(), categories.end());
  for (const auto& step : declared().steps) {
    const auto& method = *contract.FindMethodByName(step.rpc);
    auto planned = std::make_unique<PlannedStep>();
    planned->declared = &step;
    planned->index = method.index();
    planned->arms_what_it_chooses = orchestrates();
    for (const auto& other : declared().steps)
      if (other.timeout &&
          (orchestrates() ? other.name == contract::time_out_step : other.timeout->armed_by == step.name)) {
        const auto replaced = timeouts.find(other.name);
        planned->timers.push_back({other.name, replaced == timeouts.end() ? other.timeout->after : replaced->second});
      }
    // Heard from nobody: it is parked, and a person has it tried.
    if (orchestrates() && step.rpc == contract::continue_step)
      started_by_[declared().orchestration->moved].push_back(planned.get());
    for (std::size_t t = 0; t < planned->declared->triggers.size(); ++t) {
      const auto& event = planned->declared->triggers[t];
      if (const auto& field = planned->declared->trigger_fields[t]; !field.empty())
        planned->trigger_field[event] =
            (orchestrates() ? method.output_type() : method.input_type())->FindFieldByName(field);
      started_by_[event].push_back(planned.get());
    }
    steps_.push_back(std::move(planned));
  }
}

const std::vector<const PlannedStep*>& Part::started_by(const std::string& event_type) const {
  static const std::vector<const PlannedStep*> none;
  const auto found = started_by_.find(event_type);
  return found == started_by_.end() ? none : found->second;
}

bool Part::knows(const std::string& event_type) const {
  if (upcasters_.knows(event_type)) return true;
  const auto* type = linked(event_type);
  return type != nullptr && type->options().HasExtension(v1::event);
}

const PlannedStep& Part::step(std::string_view name) const {
  const auto found = std::ranges::find_if(steps_, [&](const auto& step) { return step->declared->name == name; });
  if (found == steps_.end())
    throw Error(Disposition::stop, "participant " + this->name() + " has no step '" + std::string(name) + "'");
  return **found;
}

MessagePtr Part::parse(const std::string& type, const std::string& payload) const {
  const auto* descriptor = linked(type);
  if (descriptor == nullptr)
    throw Error(Disposition::park, "event type " + type + " is not one this program was built with",
                ReasonClass::contract);
  MessagePtr message(MessageFactory::generated_factory()->GetPrototype(descriptor)->New());
  if (!message->ParseFromString(payload))
    throw Error(Disposition::park, "the payload is not a " + type + " (" + std::to_string(payload.size()) + " bytes)",
                ReasonClass::contract);
  return message;
}

std::vector<MessagePtr> Part::read(const std::string& type, const std::string& payload) const {
  std::vector<MessagePtr> today;
  if (upcasters_.knows(type))
    upcast(type, payload, 0, today);
  else
    today.push_back(parse(type, payload));
  return today;
}

void Part::upcast(const std::string& type, const std::string& payload, int depth,
                  std::vector<MessagePtr>& today) const {
  constexpr int most = 32;
  if (depth == most) throw Error(Disposition::stop, "the upcasters of " + name() + " go round in a circle at " + type);
  for (auto& event : upcasters_.upcast(type, payload)) {
    const auto newer = event->GetTypeName();
    if (newer != type && upcasters_.knows(newer))
      upcast(newer, event->SerializeAsString(), depth + 1, today);
    else
      today.push_back(std::move(event));
  }
}

MessagePtr Part::trigger_for(const PlannedStep& step, MessagePtr event) const {
  if (step.trigger_field.empty()) return event;
  const auto* field = step.trigger_field.at(event->GetTypeName());
  MessagePtr trigger(MessageFactory::generated_factory()->GetPrototype(field->containing_type())->New());
  trigger->GetReflection()->SetAllocatedMessage(trigger.get(), event.release(), field);
  return trigger;
}

std::string Part::key_of(const Message& message) const {
  const auto* field = key_field(*message.GetDescriptor());
  return field == nullptr ? std::string{} : message.GetReflection()->GetString(message, field);
}

void Part::set_key(Message& message, const std::string& key) const {
  message.GetReflection()->SetString(&message, key_field(*message.GetDescriptor()), key);
}

std::vector<Message*> Part::events_of(const PlannedStep& step, Message& outcome) const {
  const auto* type = outcome.GetDescriptor();
  if (type->options().HasExtension(v1::event)) return {&outcome};
  const auto* reflection = outcome.GetReflection();
  std::vector<Message*> events;
  for (int i = 0; i < type->field_count(); ++i) {
    const auto* field = type->field(i);
    if (!reflection->HasField(outcome, field)) {
      if (orchestrates()) continue;
      const auto* choice = field->real_containing_oneof();
      if (choice == nullptr || !reflection->HasOneof(outcome, choice))
        throw Error(Disposition::park,
                    "step " + step.declared->name + " returned an outcome without '" +
                        (choice == nullptr ? field->name() : choice->name()) +
                        "'; a step says one thing of each group, or step.already_recorded()",
                    ReasonClass::contract);
      continue;
    }
    if (field->message_type() != v1::Nothing::descriptor())
      events.push_back(reflection->MutableMessage(&outcome, field));
  }
  return events;
}

const contract::EventType& Part::event_type(const std::string& name) const {
  const auto* type = model_.find_event(name);
  if (type == nullptr)
    throw Error(Disposition::stop, "event type " + name + " is not in the contract of " + this->name());
  return *type;
}

}  // namespace quadrille::runtime
