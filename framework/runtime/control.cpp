#include "runtime/control.hpp"

#include "contract/topology.hpp"
#include "core/subject.hpp"
#include "core/timestamp.hpp"
#include "core/utf8.hpp"
#include "runtime/control_messages.hpp"
#include "runtime/dispatcher.hpp"
#include "runtime/relay.hpp"

#include <utility>

namespace quadrille::runtime {
namespace {

using control::v1::Answer;
using control::v1::Ask;
using Why = control::v1::Failure;

/// Leaves out what a person can do without where the broker would not carry the whole.
std::string fitted(Answer& answer, std::size_t most_bytes) {
  if (answer.ByteSizeLong() > most_bytes && answer.has_shown()) answer.mutable_shown()->clear_payload_json();
  while (answer.ByteSizeLong() > most_bytes && answer.has_stuck() && answer.stuck().message_size() > 0) {
    answer.mutable_stuck()->mutable_message()->RemoveLast();
    answer.mutable_stuck()->set_more(true);
  }
  if (answer.ByteSizeLong() > most_bytes)
    set_failure(answer, Why::INTERNAL,
                "the answer has " + std::to_string(answer.ByteSizeLong()) + " bytes, and the broker takes " +
                    std::to_string(most_bytes) + ": raise max_payload of nats-server, or look into the database");
  return answer.SerializeAsString();
}

/// What an act is about, for the log: never a payload.
std::string about(const Ask& ask) {
  if (ask.has_retry()) return "message " + ask.retry().message_id();
  if (ask.has_retry_all()) return "what has '" + ask.retry_all().reason() + "' in its reason";
  if (ask.has_discard()) return "message " + ask.discard().message_id();
  if (ask.has_fire_timer()) return "saga " + ask.fire_timer().saga_id() + ", step " + ask.fire_timer().step();
  return "saga " + ask.note().saga_id() + ", " + ask.note().act();
}

}  // namespace

Control::Control(const Part& part, Store& store, OutboxSource& source, Broker& broker, const LeaseKeeper& leases,
                 const Vitals& vitals, const Clock& clock, const telemetry::Log& log, Instance instance)
    : part_(part),
      broker_(broker),
      leases_(leases),
      vitals_(vitals),
      clock_(clock),
      log_(log),
      instance_(std::move(instance)),
      started_at_(clock.now()),
      desk_({part.name(), part.fingerprint()}, store, clock),
      database_(part.name(), store, source) {
  serve(control_subject(part.name()), part.name(), Asked::participant);
  serve(instances_subject, "", Asked::instances);
  serve(act_subject(part.name()), part.name(), Asked::to_act);
}

void Control::serve(const std::string& subject, const std::string& group, Asked how) {
  servings_.push_back(
      broker_.serve(subject, group, [this, how](const std::string& question) { return reply(question, how); }));
}

std::string Control::reply(const std::string& question, Asked how) {
  Answer result;
  result.set_participant(part_.name());
  result.set_instance(instance_.name);
  Ask ask;
  if (!ask.ParseFromString(question))
    set_failure(result, Why::REFUSED, "the bytes are not an Ask");
  else if (const auto why = misdirected(ask, how); !why.empty())
    set_failure(result, Why::REFUSED, why);
  else
    answer(ask, result);
  return fitted(result, broker_.max_message_bytes());
}

std::string Control::misdirected(const Ask& ask, Asked how) const {
  if (is_act(ask) && how != Asked::to_act) return "this is an act: it goes to " + act_subject(part_.name());
  if (!is_act(ask) && how == Asked::to_act) return "this is no act: it goes to " + control_subject(part_.name());
  if (!ask.has_status() && how == Asked::instances) return std::string("only Status goes to ") + instances_subject;
  return {};
}

void Control::answer(const Ask& ask, Answer& answer) {
  if (ask.has_status()) return or_failure(answer, [&] { *answer.mutable_status() = status(ask.status()); });
  desk_.answer(ask, answer);
  if (answer.has_done() && !answer.done().dry_run()) log_act(ask);
}

void Control::log_act(const Ask& ask) const {
  const auto act = Ask::descriptor()->FindFieldByNumber(ask.what_case())->name();
  log_.info(to_text(ask.who()) + " has acted: " + act + " " + to_text(about(ask)) + "; " + to_text(ask.why()));
}

control::v1::StatusReport Control::status(const control::v1::Status& asked) {
  constexpr std::chrono::seconds patience{1};  // whoever asks everybody waits a little longer than that
  auto looked = database_.look(patience);
  control::v1::StatusReport report;
  report.set_fingerprint(part_.fingerprint());
  report.set_framework(QUADRILLE_VERSION);
  *report.mutable_started_at() = to_timestamp(started_at_);
  *report.mutable_at() = to_timestamp(clock_.now());
  for (std::uint32_t lane = 0; lane < lane_count; ++lane)
    if (leases_.held(lane_lease(lane))) report.add_lane(lane);
  report.set_relay(instance_.relay == RelayKind::polling ? control::v1::StatusReport::POLLING
                                                         : control::v1::StatusReport::LOG_TAILING);
  report.set_active_relay(leases_.held(Relay::lease_name).has_value());
  const auto live = vitals_.live();
  const auto ready = vitals_.ready(looked.state);
  report.set_live(live.good);
  report.set_ready(ready.good);
  for (const auto& [what, state] : live.reasons) (*report.mutable_state())[what] = to_text(state);
  for (const auto& [what, state] : ready.reasons) (*report.mutable_state())[what] = to_text(state);
  if (looked.database) *report.mutable_database() = *looked.database;
  if (!asked.with_consumers()) return report;
  std::vector<std::string> names;
  for (const auto& consumer : contract::topology_of(part_.declared()).consumers) names.push_back(consumer.name);
  for (const auto& progress : broker_.progress(names)) {
    auto& consumer = *report.add_consumer();
    consumer.set_name(progress.name);
    consumer.set_pending(progress.pending);
    consumer.set_unacknowledged(progress.unacknowledged);
    consumer.set_redelivered(progress.redelivered);
    consumer.set_delivered(progress.delivered);
    consumer.set_ack_floor(progress.ack_floor);
  }
  return report;
}

}  // namespace quadrille::runtime
