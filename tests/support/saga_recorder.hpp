#pragma once

#include "core/event.hpp"
#include "memory/memory_store.hpp"
#include "quadrille/participant.hpp"
#include "runtime/part.hpp"
#include "runtime/unit_of_work.hpp"

#include <google/protobuf/message.h>

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace quadrille {

/// Participants' real steps in one thread and virtual time, so that a test can record sagas by the thousand: what one
/// says, the others hear. Each has its own store in memory. A step that throws is handed the event again after the
/// others.
class SagaRecorder {
 public:
  SagaRecorder();
  ~SagaRecorder();

  void join(Participant& participant);
  void resource(const std::string& participant, const std::string& name, std::int64_t total);
  /// Runs a command's step and everything that follows; the saga's id, empty when nothing was said.
  std::string command(const std::string& participant, const std::string& step, const google::protobuf::Message& command,
                      const std::string& key);
  /// As if the participant had said it by a way of its own, caused by the newest event of its stream.
  void say(const std::string& participant, const google::protobuf::Message& event);
  /// Lets time pass; timer steps that are due run.
  void pass(std::chrono::milliseconds time);
  /// False: what is said is recorded and heard later, when this is called with true.
  void deliver(bool at_once);

  [[nodiscard]] const std::vector<Event>& events() const { return events_; }

 private:
  struct Seat;
  class VirtualClock final : public Clock {
   public:
    [[nodiscard]] TimePoint now() const override { return now_; }
    TimePoint now_{std::chrono::hours(24 * 365 * 56)};
  };

  Seat& seat(const std::string& participant);
  void settle();
  bool hear(Seat& seat, const Event& event);
  std::vector<Event> run(Seat& seat, const runtime::PlannedStep& step, const google::protobuf::Message& trigger,
                         const runtime::Cause& cause);
  void take(const std::vector<Event>& said);
  bool run_due_timer();

  VirtualClock clock_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::deque<Event> on_the_way_;
  std::vector<Event> events_;
  bool at_once_ = true;
};

}  // namespace quadrille
