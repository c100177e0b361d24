#pragma once

#include "quadrille/error.hpp"
#include "quadrille/step.hpp"
#include "quadrille/upcast.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <concepts>
#include <memory>
#include <string_view>
#include <utility>

/// What generated code stands on. A service author derives from the generated class and never names these.
namespace quadrille {

/// The state of one aggregate, folded from its events, behind a wall without templates.
class Aggregate {
 public:
  virtual ~Aggregate() = default;
  /// Takes in one recorded event of its stream. Throws Error(stop) for an event its contract does not declare.
  virtual void apply(const google::protobuf::Message& event) = 0;
};

/// `state.apply(event)` exists: a state must take in every event its participant may record.
template <class State, class Event>
concept Applies = requires(State& state, const Event& event) {
  state.apply(event);
};

template <std::default_initializable State, class... Events>
class AggregateOf final : public Aggregate {
 public:
  [[nodiscard]] const State& state() const { return state_; }

  void apply(const google::protobuf::Message& event) override {
    if (!(apply_if<Events>(event) || ...))
      throw Error(Disposition::stop,
                  "an aggregate's stream holds " + event.GetTypeName() +
                      ", which its contract does not declare: was this program built with an older contract?");
  }

 private:
  template <class Event>
  bool apply_if(const google::protobuf::Message& event) {
    static_assert(Applies<State, Event>,
                  "the state needs `void apply(const Event&)` for every event its participant records");
    if (event.GetDescriptor() != Event::descriptor()) return false;
    state_.apply(static_cast<const Event&>(event));
    return true;
  }

  State state_;
};

/// A participant as the runtime sees it. Implemented by generated code. The steps of one object are called by several
/// threads, never two at a time for one aggregate's version: keep no state in it but what is itself thread-safe.
class Participant {
 public:
  virtual ~Participant() = default;
  [[nodiscard]] virtual const google::protobuf::ServiceDescriptor& contract() const = 0;
  /// Of the contract this code was generated from; compared with the linked descriptors at start.
  [[nodiscard]] virtual std::string_view fingerprint() const = 0;
  [[nodiscard]] virtual std::unique_ptr<Aggregate> new_aggregate() const = 0;
  /// Runs the step of that index in the contract.
  [[nodiscard]] virtual std::unique_ptr<google::protobuf::Message> handle(int step_index,
                                                                          const google::protobuf::Message& trigger,
                                                                          const Aggregate& aggregate, Step& step) = 0;
  /// Override to register how events of old are read (upcast.hpp). Asked once, at start.
  virtual void upcasters(Upcasters&) const {}
};

/// Moves an outcome to where the runtime can hold it.
template <class Outcome>
[[nodiscard]] std::unique_ptr<google::protobuf::Message> boxed(Outcome outcome) {
  return std::make_unique<Outcome>(std::move(outcome));
}

}  // namespace quadrille
