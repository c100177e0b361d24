#include "quadrille/orchestrator.hpp"

#include "contract/orchestration.hpp"
#include "orchestrator/engine.hpp"
#include "quadrille/error.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>

namespace quadrille {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

Message& field_for(Message& message, const std::string& type) {
  return *message.GetReflection()->MutableMessage(&message, contract::field_of_type(*message.GetDescriptor(), type));
}

/// A reply says no where what it says is declared a failure.
bool says_no(const Message& reply) {
  const auto failure = [](const google::protobuf::Descriptor& type) {
    return type.options().GetExtension(v1::event).failure();
  };
  if (reply.GetDescriptor()->options().HasExtension(v1::event)) return failure(*reply.GetDescriptor());
  std::vector<const FieldDescriptor*> set;
  reply.GetReflection()->ListFields(reply, &set);
  return std::ranges::any_of(
      set, [&](const auto* field) { return field->message_type() != nullptr && failure(*field->message_type()); });
}

void set_command_key(Message& command, const std::string& key) {
  const auto& type = *command.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i)
    if (type.field(i)->options().GetExtension(v1::field).command_key())
      command.GetReflection()->SetString(&command, type.field(i), key);
}

}  // namespace

void SagaInstance::apply(const Message& event) {
  const auto* move = contract::field_of_type(*event.GetDescriptor(), v1::SagaMove::descriptor()->full_name());
  const auto* remembered = contract::field_of_type(*event.GetDescriptor(), context_->GetTypeName());
  if (move == nullptr || remembered == nullptr)
    throw Error(Disposition::stop, "the stream of a saga holds " + event.GetTypeName() +
                                       ", which says neither where it stands nor what it remembers: was this program "
                                       "built with an older contract?");
  const auto& reflection = *event.GetReflection();
  progress_ = static_cast<const v1::SagaMove&>(reflection.GetMessage(event, move)).progress();
  context_->CopyFrom(reflection.GetMessage(event, remembered));
}

struct Orchestrator::Conduct {
  std::once_flag read;
  contract::Orchestration saga;
  orchestrator::Plan plan;

  [[nodiscard]] orchestrator::Heard heard(const std::string& rpc, const Message& trigger) const {
    if (rpc == saga.start) return {v1::SagaMove::STARTED, rpc};
    if (rpc == contract::time_out_step) return {v1::SagaMove::TIME, rpc};
    if (rpc == contract::continue_step) return {v1::SagaMove::PERSON, rpc};
    if (saga.find_step(rpc)->kind == v1::COMPENSATION) return {v1::SagaMove::UNDONE, rpc};
    return {says_no(trigger) ? v1::SagaMove::NO : v1::SagaMove::OK, rpc};
  }
  /// What the saga records of itself.
  [[nodiscard]] const std::string& event_for(const v1::SagaMove& move) const {
    if (move.cause() == v1::SagaMove::STARTED) return saga.started;
    if (move.progress().state() == v1::SagaProgress::COMPLETED) return saga.completed;
    if (move.progress().state() == v1::SagaProgress::CANCELLED) return saga.cancelled;
    return saga.moved;
  }
  void check_size(const Message& context, const v1::SagaMove& move) const {
    const auto bytes = context.ByteSizeLong();
    if (bytes <= saga.context_limit) return;
    throw Error(Disposition::park,
                "saga " + move.progress().saga_id() + " would remember " + std::to_string(bytes) + " bytes" +
                    (move.step().empty() ? " from its beginning" : " after step " + move.step()) + ", and " +
                    std::to_string(saga.context_limit) + " is the limit: let " + context.GetTypeName() +
                    " hold ids and amounts, not baskets; what is larger stays with the participant that owns it, and "
                    "is asked for by its id (orchestration.context_limit in the contract moves the limit)",
                ReasonClass::contract);
  }
};

Orchestrator::Orchestrator() : conduct_(std::make_unique<Conduct>()) {}
Orchestrator::~Orchestrator() = default;

const Orchestrator::Conduct& Orchestrator::conduct() const {
  std::call_once(conduct_->read, [this] {
    conduct_->saga = *contract::read_participant(contract()).model.participants.front().orchestration;
    conduct_->plan = orchestrator::plan_of(conduct_->saga);
  });
  return *conduct_;
}

std::unique_ptr<Message> Orchestrator::handle(int step_index, const Message& trigger, const Aggregate& aggregate,
                                              Step& step) {
  const auto& saga = static_cast<const SagaInstance&>(aggregate);
  const auto& own = conduct();
  auto says = new_says();
  const auto heard = own.heard(contract().method(step_index)->name(), trigger);
  auto progress = saga.progress();
  const bool begins = heard.cause == v1::SagaMove::STARTED;
  if (begins && progress.saga_id().empty()) progress.set_saga_id(step.saga_id());
  const auto now = std::chrono::time_point_cast<TimePoint::duration>(step.now());
  auto next =
      progress.saga_id() == step.saga_id() ? orchestrator::advance(own.plan, progress, heard, now) : std::nullopt;
  if (!next) {
    static_cast<void>(step.already_recorded());
    return says;
  }
  const std::unique_ptr<Message> context(saga.remembered().New());
  context->CopyFrom(saga.remembered());
  if (begins) begin_with(trigger, *context);
  if (own.saga.find_step(heard.rpc) != nullptr) fold_of(step_index, trigger, *context);
  own.check_size(*context, next->move);
  for (const auto& command : next->commands) {
    auto message = command_of(contract().FindMethodByName(command.rpc)->index(), *context);
    set_command_key(*message, orchestrator::command_key(step.saga_id(), command));
    field_for(*says, message->GetTypeName()).CopyFrom(*message);
  }
  auto& event = field_for(*says, own.event_for(next->move));
  field_for(event, v1::SagaMove::descriptor()->full_name()).CopyFrom(next->move);
  field_for(event, own.saga.context).CopyFrom(*context);
  if (next->look_at)
    step.deadline(contract::time_out_step, std::max(std::chrono::ceil<std::chrono::milliseconds>(*next->look_at - now),
                                                    std::chrono::milliseconds(0)));
  return says;
}

}  // namespace quadrille
