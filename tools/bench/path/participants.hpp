#pragma once

#include "bench/first/v1/first.quadrille.hpp"
#include "bench/opener/v1/opener.quadrille.hpp"
#include "bench/second/v1/second.quadrille.hpp"
#include "bench/third/v1/third.quadrille.hpp"

#include <chrono>
#include <cstdint>

/// The saga that is measured: opener begins it, first, second and third each take one step, the last ends it.
namespace quadrille::bench {

/// Nanoseconds of a clock that all processes of this machine share.
inline std::int64_t monotonic() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

/// A step of each happens once.
struct Once {
  bool done = false;

  template <class Event>
  void apply(const Event&) {
    done = true;
  }
};

/// What every step says: what it heard, and when.
template <class Event>
void pass_on(const std::string& content, Event& event) {
  event.set_content(content);
  event.set_heard_at(monotonic());
}

class Opener final : public ::bench::opener::v1::OpenerSteps<Once> {
 public:
  ::bench::opener::v1::BeginOutcome begin(const ::bench::opener::v1::Begin& command, const Once& state,
                                          Step& step) override {
    if (state.done) return step.already_recorded();
    ::bench::opener::v1::BeginOutcome outcome;
    pass_on(command.content(), *outcome.mutable_begun());
    return outcome;
  }
};

class First final : public ::bench::first::v1::FirstSteps<Once> {
 public:
  ::bench::first::v1::HandOutcome hand(const ::bench::opener::v1::Begun& begun, const Once& state,
                                       Step& step) override {
    if (state.done) return step.already_recorded();
    ::bench::first::v1::HandOutcome outcome;
    pass_on(begun.content(), *outcome.mutable_handed());
    return outcome;
  }
};

class Second final : public ::bench::second::v1::SecondSteps<Once> {
 public:
  ::bench::second::v1::CarryOutcome carry(const ::bench::first::v1::Handed& handed, const Once& state,
                                          Step& step) override {
    if (state.done) return step.already_recorded();
    ::bench::second::v1::CarryOutcome outcome;
    pass_on(handed.content(), *outcome.mutable_carried());
    return outcome;
  }
};

class Third final : public ::bench::third::v1::ThirdSteps<Once> {
 public:
  ::bench::third::v1::DeliverOutcome deliver(const ::bench::second::v1::Carried& carried, const Once& state,
                                             Step& step) override {
    if (state.done) return step.already_recorded();
    ::bench::third::v1::DeliverOutcome outcome;
    pass_on(carried.content(), *outcome.mutable_delivered());
    return outcome;
  }
};

}  // namespace quadrille::bench
