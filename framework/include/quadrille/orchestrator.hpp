#pragma once

#include "quadrille/participant.hpp"
#include "quadrille/v1/orchestration.pb.h"

#include <google/protobuf/message.h>

#include <memory>
#include <string>

/// What generated code of orchestrated sagas stands on. An author derives from the generated class, which asks for pure
/// functions alone: the command of each step, and what is remembered of its reply.
namespace quadrille {

/// One saga: where it stands and what it remembers, folded from its own events.
class SagaInstance : public Aggregate {
 public:
  explicit SagaInstance(std::unique_ptr<google::protobuf::Message> context) : context_(std::move(context)) {}
  void apply(const google::protobuf::Message& event) override;

  [[nodiscard]] const v1::SagaProgress& progress() const { return progress_; }
  [[nodiscard]] const google::protobuf::Message& remembered() const { return *context_; }

 private:
  v1::SagaProgress progress_;
  std::unique_ptr<google::protobuf::Message> context_;
};

/// The same with the type of what it remembers.
template <class Context>
class SagaOf final : public SagaInstance {
 public:
  SagaOf() : SagaInstance(std::make_unique<Context>()) {}
  [[nodiscard]] const Context& context() const { return static_cast<const Context&>(remembered()); }
  /// For Edge::view.
  [[nodiscard]] const SagaOf& state() const { return *this; }
};

/// A participant that conducts a saga: each reply, time-out or act of a person is at most one transition, which records
/// where the saga stands and, through the same outbox, what it commands next. Thread-safe where the author's functions
/// are pure.
class Orchestrator : public Participant {
 public:
  Orchestrator();
  ~Orchestrator() override;

  /// Throws Error(park) where what is remembered is larger than the declared limit.
  [[nodiscard]] std::unique_ptr<google::protobuf::Message> handle(int step_index,
                                                                  const google::protobuf::Message& trigger,
                                                                  const Aggregate& aggregate, Step& step) final;

 protected:
  /// Implemented by generated code, which knows the types. `rpc` is an index in the contract.
  [[nodiscard]] virtual std::unique_ptr<google::protobuf::Message> new_says() const = 0;
  virtual void begin_with(const google::protobuf::Message& command, google::protobuf::Message& context) const = 0;
  [[nodiscard]] virtual std::unique_ptr<google::protobuf::Message> command_of(
      int rpc, const google::protobuf::Message& context) const = 0;
  virtual void fold_of(int rpc, const google::protobuf::Message& reply, google::protobuf::Message& context) const = 0;

 private:
  struct Conduct;
  [[nodiscard]] const Conduct& conduct() const;

  mutable std::unique_ptr<Conduct> conduct_;
};

}  // namespace quadrille
