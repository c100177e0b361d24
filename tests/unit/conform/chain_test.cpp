// Shapes the shop does not have: a join of all, and a saga that begins another.
#include "conform/conformance.hpp"

#include <gtest/gtest.h>

namespace quadrille::conform {
namespace {

/// Two sagas, of which the first begins the second, and a join.
class Models : public ::testing::Test {
 protected:
  Models() {
    participant("p", {{"Begin", contract::Start::command, {}, {"Started"}},
                      {"One", contract::Start::event, {"Started"}, {"OneDone"}},
                      {"Two", contract::Start::event, {"Started"}, {"TwoDone"}},
                      {"Join", contract::Start::all_of, {"OneDone", "TwoDone"}, {"Handed"}},
                      {"Next", contract::Start::event, {"Handed"}, {"Finished"}}});
    role("Started", "first", v1::SagaRole::START);
    role("Handed", "first", v1::SagaRole::END_DONE);
    role("Handed", "second", v1::SagaRole::START);
    role("Finished", "second", v1::SagaRole::END_DONE);
  }
  struct Plan {
    std::string name;
    contract::Start start;
    std::vector<std::string> hears;
    std::vector<std::string> says;
  };
  void participant(const std::string& name, const std::vector<Plan>& plans) {
    contract::Participant added;
    added.name = name;
    added.service = name + ".Steps";
    for (const auto& plan : plans) {
      contract::Step step;
      step.name = plan.name;
      step.participant = name;
      step.service = added.service;
      step.kind = v1::RETRIABLE;
      step.start = plan.start;
      step.triggers = plan.hears;
      step.trigger_fields.assign(plan.hears.size(), "");
      for (const auto& said : plan.says) {
        step.outcomes.push_back({false, false, {""}, {said}});
        auto& event = model_.events[said];
        event.name = event.short_name = said;
        event.context = event.aggregate = name;
      }
      added.steps.push_back(step);
    }
    model_.participants.push_back(added);
  }
  void role(const std::string& event, const std::string& saga, v1::SagaRole::Role kind) {
    v1::SagaRole added;
    added.set_saga(saga);
    added.set_role(kind);
    model_.events[event].roles.push_back(added);
  }
  static Event said(const std::string& id, const std::string& type, const std::string& cause, int second) {
    Event event;
    event.id = id;
    event.type = type;
    event.source = "p";
    event.subject = "evt.1.p.p." + type;
    event.stream = {"p", "k"};
    event.version = static_cast<std::uint64_t>(second);
    event.saga_id = "s";
    event.causation_id = cause;
    event.recorded_at = TimePoint(std::chrono::hours(1)) + std::chrono::seconds(second);
    return event;
  }
  contract::Model model_;
};

TEST_F(Models, AJoinAndAChainOfSagasAreAsDeclared) {
  const checker::Graph graph(model_);
  const auto sagas = checker::sagas(graph);
  Conformance conformance(graph, sagas, {});
  for (const auto& event : {said("1", "Started", "", 1), said("2", "OneDone", "1", 2), said("3", "TwoDone", "1", 3),
                            said("4", "Handed", "3", 4), said("5", "Finished", "4", 5)})
    conformance.take(event);
  const auto report = conformance.finish(TimePoint(std::chrono::hours(2)));
  EXPECT_EQ(report.instances, 2U);
  EXPECT_EQ(report.completed, 2U);
  EXPECT_DOUBLE_EQ(report.fitness, 1.0);
  for (const auto& finding : report.findings) EXPECT_EQ(finding.code, "QDR203") << finding.message;
}

}  // namespace
}  // namespace quadrille::conform
