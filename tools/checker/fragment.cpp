#include "checker/fragment.hpp"

#include "quadrille/cache/v1/model.pb.h"

namespace quadrille::checker {
namespace {

using std::chrono::milliseconds;

template <class Strings>
void put(const std::vector<std::string>& from, Strings* to) {
  to->Add(from.begin(), from.end());
}
template <class Strings>
std::vector<std::string> list(const Strings& from) {
  return {from.begin(), from.end()};
}

void put(const contract::Location& from, cache::v1::Location* to) {
  to->set_file(from.file);
  to->set_line(from.line);
  to->set_column(from.column);
}
contract::Location get(const cache::v1::Location& from) { return {from.file(), from.line(), from.column()}; }

google::protobuf::Duration duration(milliseconds time) {
  google::protobuf::Duration result;
  result.set_seconds(time.count() / 1000);
  result.set_nanos(static_cast<std::int32_t>(time.count() % 1000) * 1'000'000);
  return result;
}
milliseconds time_of(const google::protobuf::Duration& from) {
  return milliseconds(from.seconds() * 1000 + from.nanos() / 1'000'000);
}

void put(const contract::EventType& from, cache::v1::Event* to) {
  to->set_name(from.name);
  to->set_short_name(from.short_name);
  to->set_context(from.context);
  to->set_aggregate(from.aggregate);
  to->set_shared(from.shared);
  to->set_key_field(from.key_field);
  to->set_failure(from.failure);
  to->set_is_public(from.is_public);
  to->mutable_role()->Add(from.roles.begin(), from.roles.end());
  put(from.personal_fields, to->mutable_personal_field());
  for (const auto& field : from.fields) {
    auto* added = to->add_field();
    added->set_name(field.name);
    added->set_type(field.type);
    added->set_text(field.text);
    added->set_token(field.token);
  }
  to->set_subject(from.subject);
  to->set_deprecated(from.deprecated);
  to->set_lite(from.lite);
  to->set_command_to(from.command_to);
  put(from.location, to->mutable_location());
}

contract::EventType get(const cache::v1::Event& from) {
  contract::EventType event;
  event.name = from.name();
  event.short_name = from.short_name();
  event.context = from.context();
  event.aggregate = from.aggregate();
  event.shared = from.shared();
  event.key_field = from.key_field();
  event.failure = from.failure();
  event.is_public = from.is_public();
  event.roles.assign(from.role().begin(), from.role().end());
  event.personal_fields = list(from.personal_field());
  for (const auto& field : from.field())
    event.fields.push_back({field.name(), field.type(), field.text(), field.token()});
  event.subject = from.subject();
  event.deprecated = from.deprecated();
  event.lite = from.lite();
  event.command_to = from.command_to();
  event.location = get(from.location());
  return event;
}

void put(const contract::Step& from, cache::v1::Step* to) {
  to->set_name(from.name);
  to->set_input(from.input);
  to->set_start(static_cast<int>(from.start));
  put(from.triggers, to->mutable_trigger());
  put(from.trigger_fields, to->mutable_trigger_field());
  to->set_output(from.output);
  for (const auto& group : from.outcomes) {
    auto* added = to->add_outcome();
    added->set_exclusive(group.exclusive);
    added->set_may_be_nothing(group.may_be_nothing);
    put(group.fields, added->mutable_field());
    put(group.events, added->mutable_event());
  }
  auto* declared = to->mutable_declared();
  declared->set_kind(from.kind);
  declared->set_compensated_by(from.compensated_by);
  if (from.timeout) {
    declared->mutable_timeout()->set_armed_by(from.timeout->armed_by);
    to->set_timeout_ms(from.timeout->after.count());
  }
  if (from.bound) {
    declared->mutable_bound()->set_loop(from.bound->loop);
    declared->mutable_bound()->set_max(from.bound->max);
    declared->mutable_bound()->set_exit(from.bound->exit);
    put(from.bound->resets, declared->mutable_bound()->mutable_resets());
  }
  declared->set_null_safe(from.null_safe);
  put(from.settles, declared->mutable_settles());
  put(from.sagas, declared->mutable_sagas());
  declared->set_write(from.write);
  put(from.holds, declared->mutable_holds());
  put(from.releases, declared->mutable_releases());
  put(from.needs, declared->mutable_needs());
  declared->set_idempotency_key(from.idempotency_key);
  to->set_objective_ms(from.objective.count());
  declared->set_perpetual(from.perpetual);
  declared->set_new_instance(from.new_instance);
  put(from.input_fields, to->mutable_input_field());
  to->set_rpc(from.rpc);
  put(from.location, to->mutable_location());
}

contract::Step get(const cache::v1::Step& from, const contract::Participant& owner) {
  const auto& declared = from.declared();
  contract::Step step;
  step.name = from.name();
  step.participant = owner.name;
  step.service = owner.service;
  step.kind = declared.kind();
  step.start = static_cast<contract::Start>(from.start());
  step.input = from.input();
  step.triggers = list(from.trigger());
  step.trigger_fields = list(from.trigger_field());
  step.output = from.output();
  for (const auto& group : from.outcome())
    step.outcomes.push_back({group.exclusive(), group.may_be_nothing(), list(group.field()), list(group.event())});
  step.compensated_by = declared.compensated_by();
  if (declared.has_timeout())
    step.timeout = contract::Timeout{declared.timeout().armed_by(), milliseconds(from.timeout_ms())};
  if (declared.has_bound())
    step.bound = contract::Bound{declared.bound().loop(), declared.bound().max(), declared.bound().exit(),
                                 list(declared.bound().resets())};
  step.null_safe = declared.null_safe();
  step.settles = list(declared.settles());
  step.sagas = list(declared.sagas());
  step.write = declared.write();
  step.holds = list(declared.holds());
  step.releases = list(declared.releases());
  step.needs = list(declared.needs());
  step.idempotency_key = declared.idempotency_key();
  step.objective = milliseconds(from.objective_ms());
  step.perpetual = declared.perpetual();
  step.new_instance = declared.new_instance();
  step.input_fields = list(from.input_field());
  step.rpc = from.rpc();
  step.location = get(from.location());
  return step;
}

void put(const contract::Orchestration& from, cache::v1::Orchestration* to) {
  to->set_start(from.start);
  to->set_says(from.says);
  to->set_context(from.context);
  to->set_started(from.started);
  to->set_moved(from.moved);
  to->set_completed(from.completed);
  to->set_cancelled(from.cancelled);
  to->set_context_limit(from.context_limit);
  for (const auto& step : from.steps) {
    auto* added = to->add_step();
    added->set_name(step.name);
    added->set_command(step.command);
    added->set_participant(step.participant);
    added->set_reply(step.reply);
    put(step.reply_fields, added->mutable_reply_field());
    put(step.ok, added->mutable_ok());
    put(step.no, added->mutable_no());
    added->mutable_declared()->set_kind(step.kind);
    added->mutable_declared()->set_compensated_by(step.compensated_by);
    added->mutable_declared()->set_group(step.group);
    added->set_timeout_ms(step.timeout.count());
    added->set_patience_ms(step.patience.count());
    put(step.location, added->mutable_location());
  }
}

contract::Orchestration get(const cache::v1::Orchestration& from) {
  contract::Orchestration saga{from.start(),     from.says(),          from.context(),
                               from.started(),   from.moved(),         from.completed(),
                               from.cancelled(), from.context_limit(), {}};
  for (const auto& step : from.step())
    saga.steps.push_back({step.name(), step.declared().kind(), step.command(), step.participant(), step.reply(),
                          list(step.reply_field()), list(step.ok()), list(step.no()), step.declared().compensated_by(),
                          step.declared().group(), milliseconds(step.timeout_ms()), milliseconds(step.patience_ms()),
                          get(step.location())});
  return saga;
}

void put(const contract::Participant& from, cache::v1::Participant* to) {
  to->set_name(from.name);
  to->set_service(from.service);
  to->set_package(from.package);
  to->set_aggregate(from.aggregate);
  to->set_description(from.description);
  auto* declared = to->mutable_declared();
  declared->set_owner(from.owner);
  declared->set_external(from.external);
  declared->set_start_from(from.from_beginning ? v1::Participant::BEGINNING : v1::Participant::NEW);
  for (const auto& consumer : from.consumers) {
    auto* added = declared->add_consumer();
    added->set_name(consumer.name);
    added->set_stream(consumer.stream);
    put(consumer.filters, added->mutable_filter());
    added->set_max_deliver(consumer.max_deliver);
    *added->mutable_ack_wait() = duration(consumer.ack_wait);
    added->set_parks(consumer.parks);
  }
  for (const auto& step : from.steps) put(step, to->add_step());
  put(from.hears, to->mutable_hears());
  if (from.orchestration) put(*from.orchestration, to->mutable_orchestration());
  put(from.location, to->mutable_location());
}

contract::Participant get(const cache::v1::Participant& from) {
  contract::Participant participant;
  participant.name = from.name();
  participant.owner = from.declared().owner();
  participant.description = from.description();
  participant.external = from.declared().external();
  participant.from_beginning = from.declared().start_from() == v1::Participant::BEGINNING;
  participant.service = from.service();
  participant.package = from.package();
  participant.aggregate = from.aggregate();
  for (const auto& consumer : from.declared().consumer())
    participant.consumers.push_back({consumer.name(), consumer.stream(), list(consumer.filter()),
                                     consumer.max_deliver(), time_of(consumer.ack_wait()), consumer.parks()});
  for (const auto& step : from.step()) participant.steps.push_back(get(step, participant));
  participant.hears = list(from.hears());
  if (from.has_orchestration()) participant.orchestration = get(from.orchestration());
  participant.location = get(from.location());
  return participant;
}

void put(const contract::BrokerStream& from, cache::v1::BrokerStream* to) {
  auto* declared = to->mutable_declared();
  declared->set_name(from.name);
  put(from.subjects, declared->mutable_subject());
  declared->set_retention(from.retention);
  *declared->mutable_max_age() = duration(from.max_age);
  *declared->mutable_duplicate_window() = duration(from.duplicate_window);
  put(from.location, to->mutable_location());
}

contract::BrokerStream get(const cache::v1::BrokerStream& from) {
  return {from.declared().name(),
          list(from.declared().subject()),
          from.declared().retention(),
          time_of(from.declared().max_age()),
          time_of(from.declared().duplicate_window()),
          get(from.location())};
}

}  // namespace

std::map<std::string, std::string> to_fragments(const contract::Model& model,
                                                const std::map<std::string, std::string>& keys) {
  std::map<std::string, cache::v1::Fragment> fragments;
  for (const auto& [file, key] : keys) fragments[file].set_key(key);
  const auto of = [&](const contract::Location& location) {
    const auto found = fragments.find(location.file);
    return found == fragments.end() ? nullptr : &found->second;
  };
  for (const auto& [name, event] : model.events)
    if (auto* fragment = of(event.location)) put(event, fragment->add_event());
  for (const auto& participant : model.participants)
    if (auto* fragment = of(participant.location)) put(participant, fragment->add_participant());
  for (const auto& saga : model.sagas)
    if (auto* fragment = of(saga.location)) {
      auto* added = fragment->add_saga();
      added->set_name(saga.name);
      added->set_deadline_ms(saga.deadline.count());
      put(saga.location, added->mutable_location());
    }
  for (const auto& stream : model.streams)
    if (auto* fragment = of(stream.location)) put(stream, fragment->add_stream());
  std::map<std::string, std::string> bytes;
  for (const auto& [file, fragment] : fragments) bytes[file] = fragment.SerializeAsString();
  return bytes;
}

bool add_fragment(const std::string& bytes, const std::string& key, contract::Model& model) {
  cache::v1::Fragment fragment;
  if (!fragment.ParseFromString(bytes) || fragment.key() != key) return false;
  for (const auto& event : fragment.event()) model.events.insert_or_assign(event.name(), get(event));
  for (const auto& participant : fragment.participant()) model.participants.push_back(get(participant));
  for (const auto& saga : fragment.saga())
    model.sagas.push_back({saga.name(), milliseconds(saga.deadline_ms()), get(saga.location())});
  for (const auto& stream : fragment.stream()) model.streams.push_back(get(stream));
  return true;
}

}  // namespace quadrille::checker
