#include "contract/orchestration.hpp"
#include "quadrille/v1/orchestration.pb.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>

namespace quadrille::contract {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;
using google::protobuf::MethodDescriptor;
using google::protobuf::ServiceDescriptor;
using std::chrono::milliseconds;

constexpr std::size_t usual_context_limit = 4096;
constexpr milliseconds usual_timeout{60'000};
constexpr milliseconds usual_patience{3'600'000};

bool is_event(const Descriptor& message) { return message.options().HasExtension(v1::event); }
bool is_command(const Descriptor& message) { return !message.options().GetExtension(v1::event).command_to().empty(); }
bool is_failure(const Descriptor& message) { return message.options().GetExtension(v1::event).failure(); }

milliseconds time_of(const google::protobuf::Duration& duration, milliseconds usual) {
  const milliseconds said(duration.seconds() * 1000 + duration.nanos() / 1'000'000);
  return said.count() > 0 ? said : usual;
}

bool has_field(const Descriptor& message, const std::function<bool(const FieldDescriptor&)>& wanted) {
  for (int i = 0; i < message.field_count(); ++i)
    if (wanted(*message.field(i))) return true;
  return false;
}

class SagaReader {
 public:
  SagaReader(const ServiceDescriptor& service, const OrchestrationReader& reader)
      : service_(service), reader_(reader) {}

  Orchestration read() {
    const auto limit = service_.options().GetExtension(v1::orchestration).context_limit();
    saga_.context_limit = limit == 0 ? usual_context_limit : limit;
    for (int i = 0; i < service_.method_count(); ++i) method(*service_.method(i));
    if (says_ != nullptr) own_events();
    if (saga_.start.empty())
      fault_at_service("saga " + service_.name() + " has no rpc that begins it",
                       "add `rpc Start(StartOrder) returns (OrderSays);`, with a message that has a key field");
    if (service_.FindMethodByName(time_out_step) == nullptr)
      fault_at_service("saga " + service_.name() + " has no rpc TimeOut",
                       "add `rpc TimeOut(quadrille.v1.Timer) returns (OrderSays);`: the clock runs it");
    if (const auto* person = service_.FindMethodByName(continue_step);
        person == nullptr || person->input_type()->full_name() != saga_.moved)
      fault_at_service("saga " + service_.name() + " has no rpc Continue that takes its event without a role",
                       "add `rpc Continue(OrderMoved) returns (OrderSays);`: a person runs it where the saga is STUCK");
    if (saga_.steps.empty())
      fault_at_service("saga " + service_.name() + " has no step",
                       "add an rpc that takes a command: an event with command_to in its option");
    references();
    return std::move(saga_);
  }

 private:
  void fault(const Location& place, std::string what, std::string repair) {
    reader_.fault(place, std::move(what), std::move(repair));
  }
  void fault_at_service(std::string what, std::string repair) {
    Location place =
        service_.method_count() > 0 ? reader_.locate(*service_.method(0)) : Location{service_.file()->name()};
    fault(place, std::move(what), std::move(repair));
  }

  void method(const MethodDescriptor& method) {
    const auto& input = *method.input_type();
    if (is_command(input)) return step(method);
    const auto place = reader_.locate(method);
    if (input.full_name() == v1::Timer::descriptor()->full_name()) {
      if (method.name() != time_out_step)
        fault(place, "rpc " + method.name() + " of a saga takes a Timer but is not TimeOut",
              "remove it: the time limits of the steps are in their options");
    } else if (is_event(input) && method.name() == continue_step) {
      reader_.event(input);
    } else if (is_event(input)) {
      return fault(place, "rpc " + method.name() + " of a saga takes " + input.name() + ", which is no command",
                   "say command_to: \"<participant>\" in the event option of " + input.name());
    } else {
      if (!saga_.start.empty())
        fault(place, "saga " + service_.name() + " begins in two ways, " + saga_.start + " and " + method.name(),
              "let one message begin it");
      if (!has_field(input, [](const auto& field) { return field.options().GetExtension(v1::field).key(); }))
        fault(place, method.name() + " takes the command " + input.name() + ", which has no key field",
              "mark the field that names the saga's aggregate with [(quadrille.v1.field).key = true]");
      saga_.start = method.name();
    }
    if (says_ != nullptr && says_ != method.output_type())
      fault(place, "rpc " + method.name() + " returns " + method.output_type()->name() + ", others " + says_->name(),
            "let them return the one message whose fields are all that the saga says");
    says_ = method.output_type();
    saga_.says = says_->full_name();
  }

  void step(const MethodDescriptor& method) {
    const auto& option = method.options().GetExtension(v1::step);
    const auto& command = *method.input_type();
    OrchestratedStep step;
    step.name = method.name();
    step.kind = option.kind();
    step.command = command.full_name();
    step.participant = command.options().GetExtension(v1::event).command_to();
    step.reply = method.output_type()->full_name();
    step.compensated_by = option.compensated_by();
    step.group = option.group();
    step.timeout = time_of(option.timeout().after(), usual_timeout);
    step.patience = time_of(option.patience(), usual_patience);
    step.location = reader_.locate(method);
    reader_.event(command);
    replies(*method.output_type(), step);
    if (step.kind == v1::STEP_KIND_UNSPECIFIED || step.kind == v1::OBSERVER)
      fault(step.location, "step " + step.name + " does not say what kind it is",
            "add `option (quadrille.v1.step) = { kind: ... };` with COMPENSATABLE, PIVOT, RETRIABLE, QUERY or "
            "COMPENSATION");
    if (step.ok.empty())
      fault(step.location, "step " + step.name + " has no answer that is not a failure",
            "let " + method.output_type()->name() + " be an event, or have one that is not failure: true");
    if (!has_field(command, [](const auto& field) {
          return field.options().GetExtension(v1::field).command_key() && field.type() == FieldDescriptor::TYPE_STRING;
        }))
      fault(step.location, "command " + command.name() + " has no field for its key",
            "add `string command_key = 15 [(quadrille.v1.field).command_key = true];`: the same for each repetition");
    saga_.steps.push_back(std::move(step));
  }

  void replies(const Descriptor& message, OrchestratedStep& step) {
    std::vector<std::string> no_fields;
    const auto reply = [&](const Descriptor& event, const std::string& field) {
      reader_.event(event);
      (is_failure(event) ? step.no : step.ok).push_back(event.full_name());
      (is_failure(event) ? no_fields : step.reply_fields).push_back(field);
    };
    if (is_event(message)) reply(message, "");
    for (int i = 0; !is_event(message) && i < message.field_count(); ++i)
      if (const auto* type = message.field(i)->message_type(); type != nullptr && is_event(*type))
        reply(*type, message.field(i)->name());
    step.reply_fields.insert(step.reply_fields.end(), no_fields.begin(), no_fields.end());
  }

  /// START, END_DONE and END_UNDONE tell three of the four apart; the one without a role is a move between them.
  void own_events() {
    const auto place = reader_.locate(*service_.method(0));
    for (int i = 0; i < says_->field_count(); ++i) {
      const auto* type = says_->field(i)->message_type();
      if (type == nullptr || !is_event(*type)) {
        fault(place, "field " + says_->field(i)->name() + " of " + says_->name() + " is not an event",
              "what a saga says are its own events and its commands");
        continue;
      }
      reader_.event(*type);
      if (is_command(*type)) continue;
      auto* own = &saga_.moved;
      for (const auto& role : type->options().GetExtension(v1::event).role()) {
        if (role.role() == v1::SagaRole::START) own = &saga_.started;
        if (role.role() == v1::SagaRole::END_DONE) own = &saga_.completed;
        if (role.role() == v1::SagaRole::END_UNDONE) own = &saga_.cancelled;
      }
      if (!own->empty())
        fault(place, says_->name() + " has two events for one thing, " + *own + " and " + type->full_name(),
              "let one event have role START, one END_DONE, one END_UNDONE, and one none");
      *own = type->full_name();
      context_of(*type, place);
    }
    for (const auto& own : {saga_.started, saga_.moved, saga_.completed, saga_.cancelled})
      if (own.empty()) {
        fault(place, says_->name() + " lacks one of the four events that a saga says of itself",
              "let one event have role START, one END_DONE, one END_UNDONE, and one none");
        break;
      }
    for (const auto& step : saga_.steps)
      if (field_of_type(*says_, step.command) == nullptr)
        fault(step.location, says_->name() + " has no field for command " + step.command, "add one");
  }

  void context_of(const Descriptor& event, const Location& place) {
    const auto move = v1::SagaMove::descriptor()->full_name();
    if (field_of_type(event, move) == nullptr)
      fault(place, "event " + event.name() + " has no field of type quadrille.v1.SagaMove",
            "add `quadrille.v1.SagaMove move = 2;`: the saga's state is folded from it");
    for (int i = 0; i < event.field_count(); ++i) {
      const auto* type = event.field(i)->message_type();
      if (type == nullptr || type->full_name() == move) continue;
      if (!saga_.context.empty() && saga_.context != type->full_name())
        fault(place, "event " + event.name() + " has a context of another type than others",
              "let all have one field of the message that the saga remembers");
      saga_.context = type->full_name();
      return;
    }
    fault(place, "event " + event.name() + " has no field for what the saga remembers",
          "add a field of one message type, the same in all four: ids and amounts that later commands need");
  }

  void references() {
    for (const auto& step : saga_.steps)
      if (!step.compensated_by.empty() && saga_.find_step(step.compensated_by) == nullptr)
        fault(step.location,
              "step " + step.name + ": compensated_by names '" + step.compensated_by + "', which is not a step of " +
                  service_.name(),
              "name an rpc of the same service");
    for (std::size_t i = 2; i < saga_.steps.size(); ++i)
      for (std::size_t j = 0; j + 1 < i; ++j)
        if (!saga_.steps[i].group.empty() && saga_.steps[i].group == saga_.steps[j].group &&
            saga_.steps[i - 1].group != saga_.steps[i].group)
          fault(saga_.steps[i].location,
                "group '" + saga_.steps[i].group + "' is interrupted before " + saga_.steps[i].name,
                "put the rpcs of a group next to each other");
  }

  const ServiceDescriptor& service_;
  const OrchestrationReader& reader_;
  const Descriptor* says_ = nullptr;
  Orchestration saga_;
};

}  // namespace

const FieldDescriptor* field_of_type(const Descriptor& message, const std::string& type) {
  for (int i = 0; i < message.field_count(); ++i)
    if (message.field(i)->message_type() != nullptr && message.field(i)->message_type()->full_name() == type)
      return message.field(i);
  return nullptr;
}

Orchestration read_orchestration(const ServiceDescriptor& service, const OrchestrationReader& reader) {
  return SagaReader(service, reader).read();
}

}  // namespace quadrille::contract
