#include "support/saga_recorder.hpp"

#include "core/subject.hpp"
#include "core/uuid.hpp"
#include "quadrille/error.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

namespace quadrille {

struct SagaRecorder::Seat {
  Seat(Participant& participant, const Clock& clock) : part(participant), store(clock) {}
  runtime::Part part;
  memory::MemoryStore store;
};

SagaRecorder::SagaRecorder() = default;
SagaRecorder::~SagaRecorder() = default;

void SagaRecorder::join(Participant& participant) { seats_.push_back(std::make_unique<Seat>(participant, clock_)); }

SagaRecorder::Seat& SagaRecorder::seat(const std::string& participant) {
  const auto found = std::ranges::find_if(seats_, [&](const auto& seat) { return seat->part.name() == participant; });
  if (found == seats_.end()) throw std::runtime_error(participant + " has not joined");
  return **found;
}

void SagaRecorder::resource(const std::string& participant, const std::string& name, std::int64_t total) {
  const auto transaction = seat(participant).store.begin();
  if (!transaction->quantities().add(name, total)) throw std::runtime_error("a resource's total is not negative");
  transaction->commit();
}

std::string SagaRecorder::command(const std::string& participant, const std::string& step,
                                  const google::protobuf::Message& command, const std::string& key) {
  auto& at = seat(participant);
  const auto said = run(at, at.part.step(step), command, {key, "", "", 0, ""});
  take(said);
  return said.empty() ? "" : said.front().saga_id;
}

void SagaRecorder::say(const std::string& participant, const google::protobuf::Message& message) {
  auto& at = seat(participant);
  const auto& type = at.part.event_type(message.GetTypeName());
  const auto key = at.part.key_of(message);
  const auto stream = at.part.stream_of(key);
  const auto transaction = at.store.begin();
  const auto history = transaction->events().load(std::span(&stream, 1));
  Event event = history.at(stream).back();
  event.causation_id = event.id;
  event.id = new_uuid();
  event.type = type.name;
  event.subject = event_subject(key, type.context, type.aggregate, type.short_name);
  ++event.version;
  ++event.hops;
  clock_.now_ += std::chrono::milliseconds(2);
  event.recorded_at = clock_.now_;
  event.payload = message.SerializeAsString();
  transaction->events().append(std::span(&event, 1));
  transaction->commit();
  take({event});
}

void SagaRecorder::take(const std::vector<Event>& said) {
  for (const auto& event : said) {
    events_.push_back(event);
    on_the_way_.push_back(event);
  }
  if (at_once_) settle();
}

void SagaRecorder::deliver(bool at_once) {
  at_once_ = at_once;
  if (at_once_) settle();
}

void SagaRecorder::settle() {
  for (std::size_t failures = 0; !on_the_way_.empty() && failures <= on_the_way_.size();) {
    const auto event = std::move(on_the_way_.front());
    on_the_way_.pop_front();
    bool heard = true;
    for (const auto& seat : seats_) heard &= hear(*seat, event);
    failures = heard ? 0 : failures + 1;
    if (!heard) on_the_way_.push_back(event);
  }
}

bool SagaRecorder::hear(Seat& seat, const Event& event) {
  for (const auto* step : seat.part.started_by(event.type)) {
    auto message = seat.part.parse(event.type, event.payload);
    const auto key = seat.part.key_of(*message);
    try {
      const auto said = run(seat, *step, *seat.part.trigger_for(*step, std::move(message)),
                            {key, event.saga_id, event.id, event.hops, event.traceparent, event.recorded_at});
      for (const auto& one : said) {
        events_.push_back(one);
        on_the_way_.push_back(one);
      }
    } catch (const NotYet&) {
      return false;
    }
  }
  return true;
}

std::vector<Event> SagaRecorder::run(Seat& seat, const runtime::PlannedStep& step,
                                     const google::protobuf::Message& trigger, const runtime::Cause& cause) {
  clock_.now_ += std::chrono::milliseconds(2);
  const auto transaction = seat.store.begin();
  runtime::UnitOfWork unit(seat.part, *transaction, {}, clock_.now());
  unit.run(step, trigger, cause);
  std::vector<Event> said;
  for (const auto& [key, events] : unit.said()) said.insert(said.end(), events.begin(), events.end());
  unit.flush();
  transaction->commit();
  return said;
}

void SagaRecorder::pass(std::chrono::milliseconds time) {
  const auto until = clock_.now_ + time;
  while (run_due_timer()) {
  }
  clock_.now_ = std::max(clock_.now_, until);
  while (run_due_timer()) {
  }
}

bool SagaRecorder::run_due_timer() {
  for (const auto& seat : seats_) {
    const auto due = seat->store.begin()->deadlines().take_due(clock_.now(), 1);
    if (due.empty()) continue;
    const auto transaction = seat->store.begin();
    transaction->deadlines().remove(due.front().id);
    transaction->commit();
    take(run(*seat, seat->part.step(due.front().step), v1::Timer(),
             {due.front().key, due.front().saga_id, due.front().causation_id, due.front().hops, ""}));
    return true;
  }
  return false;
}

}  // namespace quadrille
