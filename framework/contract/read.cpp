// Descriptors -> model.
#include "contract/model.hpp"
#include "contract/orchestration.hpp"
#include "contract/references.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <algorithm>
#include <set>
#include <utility>

namespace quadrille::contract {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;
using google::protobuf::MethodDescriptor;
using google::protobuf::ServiceDescriptor;

template <class Described>
Location locate(const Described& described, const FileDescriptor& file) {
  google::protobuf::SourceLocation source;
  if (!described.GetSourceLocation(&source)) return {file.name(), 0, 0};
  return {file.name(), source.start_line + 1, source.start_column + 1};
}

/// What is written above a service, or above its file's first statement.
std::string comment_above(const ServiceDescriptor& service) {
  google::protobuf::SourceLocation source;
  if (service.GetSourceLocation(&source) && !source.leading_comments.empty()) return source.leading_comments;
  static const std::vector<int> syntax_path{google::protobuf::FileDescriptorProto::kSyntaxFieldNumber};
  return service.file()->GetSourceLocation(syntax_path, &source) ? source.leading_comments : "";
}

bool is_event(const Descriptor& message) { return message.options().HasExtension(v1::event); }
bool is(const Descriptor& message, const Descriptor* known) { return message.full_name() == known->full_name(); }

/// The place of the nth value of a repeated option of a file.
Location locate_option(const FileDescriptor& file, int extension, int nth) {
  google::protobuf::SourceLocation source;
  const std::vector<int> path{google::protobuf::FileDescriptorProto::kOptionsFieldNumber, extension, nth};
  if (!file.GetSourceLocation(path, &source)) return {file.name(), 0, 0};
  return {file.name(), source.start_line + 1, source.start_column + 1};
}

std::string type_text(const FieldDescriptor& field) {
  std::string name = field.type_name();
  if (field.message_type() != nullptr) name = field.message_type()->full_name();
  if (field.enum_type() != nullptr) name = field.enum_type()->full_name();
  return (field.is_repeated() ? "repeated " : "") + name;
}

std::chrono::milliseconds to_milliseconds(const google::protobuf::Duration& duration) {
  return std::chrono::milliseconds(duration.seconds() * 1000 + duration.nanos() / 1'000'000);
}

/// Reads into one model; every method adds to it or to the faults.
class Reader {
 public:
  void event(const Descriptor& message) {
    if (reading_.model.events.contains(message.full_name())) return;
    const auto& option = message.options().GetExtension(v1::event);
    const auto& stream = message.file()->options().GetExtension(v1::stream);
    EventType type;
    type.name = message.full_name();
    type.short_name = message.name();
    type.context = stream.context();
    type.aggregate = stream.aggregate().empty() ? stream.context() : stream.aggregate();
    type.shared = stream.shared();
    type.failure = option.failure();
    type.is_public = option.audience() == v1::Event::PUBLIC;
    type.roles.assign(option.role().begin(), option.role().end());
    type.location = locate(message, *message.file());
    type.command_to = option.command_to();
    if (!type.command_to.empty()) {
      type.context += "_" + type.command_to;
      type.aggregate += "_" + type.command_to;
    }
    type.subject = option.subject().empty() ? stream.subject() : option.subject();
    type.deprecated = message.options().deprecated();
    type.lite = message.file()->options().optimize_for() == google::protobuf::FileOptions::LITE_RUNTIME;
    if (type.context.empty())
      fault(type.location, "event " + message.name() + " stands in a file without a stream option",
            "add `option (quadrille.v1.stream) = { context: \"...\" };` to " + message.file()->name());
    if (type.aggregate.find('-') != std::string::npos)
      fault(type.location,
            "aggregate '" + type.aggregate + "' has a dash, which separates it from the key in stream names",
            "name it without a dash");
    for (const auto& token : {type.context, type.aggregate})
      if (type.subject.empty() && token.find_first_of(" \t\r\n.*>") != std::string::npos) {
        fault(type.location,
              "'" + token + "' of event " + message.name() + " has a character that subjects cannot hold",
              "name the context and the aggregate of " + message.file()->name() +
                  " in lower-case letters, digits and underscores");
        break;
      }
    for (int i = 0; i < message.field_count(); ++i) {
      const auto& use = message.field(i)->options().GetExtension(v1::field);
      type.fields.push_back({message.field(i)->name(), type_text(*message.field(i)),
                             message.field(i)->cpp_type() == FieldDescriptor::CPPTYPE_STRING, use.token()});
      if (use.pii() == v1::Field::DIRECT) type.personal_fields.push_back(message.field(i)->name());
      if (!use.key()) continue;
      if (message.field(i)->type() != FieldDescriptor::TYPE_STRING || !type.key_field.empty())
        fault(type.location, "event " + message.name() + " needs exactly one key field, of type string",
              "mark one string field with [(quadrille.v1.field).key = true]");
      type.key_field = message.field(i)->name();
    }
    reading_.model.events.emplace(type.name, std::move(type));
  }

  void participant(const ServiceDescriptor& service) {
    const auto& option = service.file()->options().GetExtension(v1::participant);
    Participant participant;
    participant.name = option.name();
    participant.owner = option.owner();
    participant.external = option.external();
    participant.from_beginning = option.start_from() == v1::Participant::BEGINNING;
    participant.service = service.full_name();
    participant.package = service.file()->package();
    participant.location = locate(service, *service.file());
    participant.description = comment_above(service);
    for (const auto& consumer : option.consumer())
      participant.consumers.push_back({consumer.name(),
                                       consumer.stream(),
                                       {consumer.filter().begin(), consumer.filter().end()},
                                       consumer.max_deliver(),
                                       to_milliseconds(consumer.ack_wait()),
                                       consumer.parks()});
    if (participant.name.empty() || participant.name.find_first_of(" .*>-") != std::string::npos)
      fault(participant.location,
            "participant name '" + participant.name +
                "' is empty or has a character that subjects and consumer names cannot hold",
            "name it in lower-case letters, digits and underscores");
    for (const auto* own : {"supervision", "instances", "deployer", "operator", "tracker"})
      if (participant.name == own)
        fault(participant.location, "participant name '" + participant.name + "' is one of the framework's own",
              "choose another name");
    if (service.options().HasExtension(v1::orchestration)) {
      orchestrated(service, participant);
    } else {
      for (int i = 0; i < service.method_count(); ++i)
        participant.steps.push_back(step(*service.method(i), participant));
      for (auto& faulty : unresolved(participant)) reading_.faults.push_back(std::move(faulty));
    }
    participant.aggregate = own_aggregate(participant);
    participant.hears = heard_contexts(participant);
    reading_.model.participants.push_back(std::move(participant));
  }

  void sagas(const FileDescriptor& file) {
    for (int i = 0; i < file.options().ExtensionSize(v1::saga); ++i) {
      const auto& option = file.options().GetExtension(v1::saga, i);
      reading_.model.sagas.push_back(
          {option.name(), to_milliseconds(option.deadline()), locate_option(file, v1::saga.number(), i)});
    }
    for (int i = 0; i < file.options().ExtensionSize(v1::broker_stream); ++i) {
      const auto& option = file.options().GetExtension(v1::broker_stream, i);
      reading_.model.streams.push_back({option.name(),
                                        {option.subject().begin(), option.subject().end()},
                                        option.retention(),
                                        to_milliseconds(option.max_age()),
                                        to_milliseconds(option.duplicate_window()),
                                        locate_option(file, v1::broker_stream.number(), i)});
    }
  }

  /// Steps in a file that does not say whose they are would be skipped without a word.
  void services_of_nobody(const FileDescriptor& file) {
    for (int i = 0; i < file.service_count(); ++i)
      for (int m = 0; m < file.service(i)->method_count(); ++m)
        if (file.service(i)->method(m)->options().HasExtension(v1::step)) {
          fault(locate(*file.service(i), file),
                "service " + file.service(i)->name() + " has steps but its file names no participant",
                "add `option (quadrille.v1.participant) = { name: \"...\" };` to " + file.name());
          break;
        }
  }

  Reading finish() {
    auto& participants = reading_.model.participants;
    std::ranges::stable_sort(participants, {}, &Participant::name);
    for (std::size_t i = 1; i < participants.size(); ++i)
      if (participants[i].name == participants[i - 1].name && !participants[i].name.empty())
        fault(participants[i].location,
              "participant name '" + participants[i].name + "' is also that of " + participants[i - 1].service +
                  ": their consumers and their database role would be one",
              "put the steps into one service, or give each participant a name of its own");
    std::ranges::sort(reading_.model.sagas, {}, &Saga::name);
    for (std::size_t i = 1; i < reading_.model.sagas.size(); ++i)
      if (reading_.model.sagas[i].name == reading_.model.sagas[i - 1].name)
        fault(reading_.model.sagas[i].location, "saga " + reading_.model.sagas[i].name + " is declared twice",
              "declare it once, in the steps file where it begins");
    std::ranges::sort(reading_.model.streams, {}, &BrokerStream::name);
    return std::move(reading_);
  }

 private:
  void fault(const Location& location, std::string what, std::string repair) {
    reading_.faults.push_back({location, std::move(what), std::move(repair)});
  }

  void orchestrated(const ServiceDescriptor& service, Participant& participant) {
    const OrchestrationReader lent{[this](const Descriptor& message) { event(message); },
                                   [](const MethodDescriptor& method) { return locate(method, *method.file()); },
                                   [this](const Location& place, std::string what, std::string repair) {
                                     fault(place, std::move(what), std::move(repair));
                                   }};
    participant.orchestration = read_orchestration(service, lent);
    participant.steps = steps_of(*participant.orchestration, service, participant.name, lent);
    const auto& saga = *participant.orchestration;
    for (const auto& own : {saga.started, saga.moved, saga.completed, saga.cancelled})
      if (const auto found = reading_.model.events.find(own); found != reading_.model.events.end())
        found->second.is_public = true;  // nobody has to hear where a saga stands
  }

  Step step(const MethodDescriptor& method, const Participant& participant) {
    const auto& option = method.options().GetExtension(v1::step);
    Step step;
    step.name = step.rpc = method.name();
    step.participant = participant.name;
    step.service = method.service()->full_name();
    step.kind = option.kind();
    step.input = method.input_type()->full_name();
    step.output = method.output_type()->full_name();
    step.compensated_by = option.compensated_by();
    step.null_safe = option.null_safe();
    step.settles.assign(option.settles().begin(), option.settles().end());
    step.sagas.assign(option.sagas().begin(), option.sagas().end());
    step.write = option.write();
    step.holds.assign(option.holds().begin(), option.holds().end());
    step.releases.assign(option.releases().begin(), option.releases().end());
    step.needs.assign(option.needs().begin(), option.needs().end());
    step.idempotency_key = option.idempotency_key();
    step.objective = to_milliseconds(option.objective());
    step.perpetual = option.perpetual();
    step.new_instance = option.new_instance();
    step.location = locate(method, *method.file());
    if (option.has_timeout())
      step.timeout = Timeout{option.timeout().armed_by(), to_milliseconds(option.timeout().after())};
    if (option.has_bound())
      step.bound = Bound{option.bound().loop(),
                         option.bound().max(),
                         option.bound().exit(),
                         {option.bound().resets().begin(), option.bound().resets().end()}};
    if (step.kind == v1::STEP_KIND_UNSPECIFIED)
      fault(step.location, "step " + step.name + " does not say what kind it is",
            "add `option (quadrille.v1.step) = { kind: ... };` with COMPENSATABLE, PIVOT, RETRIABLE, COMPENSATION, "
            "QUERY or OBSERVER");
    input(*method.input_type(), step);
    output(*method.output_type(), step);
    return step;
  }

  void input(const Descriptor& message, Step& step) {
    if (is(message, v1::Timer::descriptor())) {
      step.start = Start::timer;
      if (!step.timeout)
        fault(step.location, "step " + step.name + " is started by the clock but does not say when",
              "add timeout: { armed_by: \"...\", after: { seconds: ... } } to its step option");
    } else if (is_event(message)) {
      step.start = Start::event;
      add_trigger(step, message, "");
    } else if (message.options().HasExtension(v1::trigger)) {
      joined_input(message, step);
    } else {
      step.start = Start::command;
      bool has_key = false;
      for (int i = 0; i < message.field_count(); ++i) {
        has_key = has_key || message.field(i)->options().GetExtension(v1::field).key();
        step.input_fields.push_back(message.field(i)->name());
      }
      if (!has_key)
        fault(step.location, "step " + step.name + " takes the command " + message.name() + ", which has no key field",
              "mark the field that names the aggregate with [(quadrille.v1.field).key = true], or make it an event");
    }
    if (step.timeout && step.start != Start::timer)
      fault(step.location, "step " + step.name + " has a timeout but is not started by the clock",
            "make its input quadrille.v1.Timer");
  }

  void joined_input(const Descriptor& message, Step& step) {
    const auto join = message.options().GetExtension(v1::trigger).join();
    step.start = join == v1::Trigger::ALL ? Start::all_of : Start::any_of;
    if (join == v1::Trigger::JOIN_UNSPECIFIED)
      fault(locate(message, *message.file()), "trigger " + message.name() + " does not say how its events are joined",
            "add join: ALL or join: ANY to its trigger option");
    for (int i = 0; i < message.field_count(); ++i) {
      const auto* type = message.field(i)->message_type();
      if (type == nullptr || !is_event(*type))
        fault(locate(*message.field(i), *message.file()),
              "field " + message.field(i)->name() + " of trigger " + message.name() + " is not an event",
              "give it the type of an event");
      else
        add_trigger(step, *type, message.field(i)->name());
    }
  }

  void add_trigger(Step& step, const Descriptor& message, const std::string& field) {
    event(message);
    step.triggers.push_back(message.full_name());
    step.trigger_fields.push_back(field);
  }

  void output(const Descriptor& message, Step& step) {
    if (is_event(message)) {
      event(message);
      step.outcomes.push_back({false, false, {""}, {message.full_name()}});
      return;
    }
    for (int i = 0; i < message.field_count(); ++i) {
      const auto* field = message.field(i);
      const auto* choice = field->real_containing_oneof();
      if (choice != nullptr && choice->field(0) != field) continue;  // its group was read with its first member
      OutcomeGroup group;
      group.exclusive = choice != nullptr;
      const int members = choice == nullptr ? 1 : choice->field_count();
      for (int m = 0; m < members; ++m) outcome_member(choice == nullptr ? *field : *choice->field(m), group, step);
      step.outcomes.push_back(std::move(group));
    }
    if (step.outcomes.empty())
      fault(step.location, "outcome " + message.name() + " of step " + step.name + " has no fields",
            "add a field for each event it may emit, or quadrille.v1.Nothing");
  }

  void outcome_member(const FieldDescriptor& field, OutcomeGroup& group, const Step& step) {
    const auto* type = field.message_type();
    if (type != nullptr && is(*type, v1::Nothing::descriptor())) {
      group.may_be_nothing = true;
    } else if (type == nullptr || field.is_repeated() || !is_event(*type)) {
      fault(locate(field, *field.file()),
            "field " + field.name() + " of the outcome of step " + step.name + " is not an event",
            "give it the type of one event, or quadrille.v1.Nothing");
    } else {
      event(*type);
      group.fields.push_back(field.name());
      group.events.push_back(type->full_name());
    }
  }

  std::string own_aggregate(const Participant& participant) {
    std::string aggregate;
    for (const auto& step : participant.steps)
      for (const auto& name : step.emits()) {
        if (!reading_.model.events.at(name).command_to.empty()) continue;  // in streams of their own
        const auto& emitted = reading_.model.events.at(name).aggregate;
        if (!aggregate.empty() && emitted != aggregate)
          fault(step.location,
                "participant " + participant.name + " emits events of two aggregates, " + aggregate + " and " + emitted,
                "give each aggregate a service of its own");
        aggregate = emitted;
      }
    return aggregate.empty() ? participant.name : aggregate;
  }

  std::vector<std::string> heard_contexts(const Participant& participant) const {
    std::set<std::string> contexts;
    for (const auto& step : participant.steps)
      for (const auto& trigger : step.triggers) contexts.insert(reading_.model.events.at(trigger).context);
    return {contexts.begin(), contexts.end()};
  }

  Reading reading_;
};

}  // namespace

Reading read(std::span<const FileDescriptor* const> files) {
  Reader reader;
  for (const auto* file : files) {
    // What the framework says is no part of a choreography until a step wants to hear it.
    const bool ours = file->package() == v1::Timer::descriptor()->file()->package();
    for (int i = 0; i < file->message_type_count() && !ours; ++i)
      if (is_event(*file->message_type(i))) reader.event(*file->message_type(i));
    reader.sagas(*file);
    if (!file->options().HasExtension(v1::participant)) {
      reader.services_of_nobody(*file);
      continue;
    }
    for (int i = 0; i < file->service_count(); ++i) reader.participant(*file->service(i));
  }
  return reader.finish();
}

Reading read_participant(const ServiceDescriptor& service) {
  Reader reader;
  reader.sagas(*service.file());
  reader.participant(service);
  return reader.finish();
}

}  // namespace quadrille::contract
