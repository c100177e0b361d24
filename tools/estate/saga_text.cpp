#include "estate/saga_text.hpp"

#include <utility>

namespace quadrille::estate {

std::string ParticipantText::events_file() const {
  return "syntax = \"proto3\";\npackage estate." + name +
         ";\nimport \"quadrille/v1/options.proto\";\noption (quadrille.v1.stream) = { context: \"" + name + "\" };\n" +
         events;
}

std::string ParticipantText::steps_file() const {
  std::string text = "syntax = \"proto3\";\npackage estate." + name + ";\nimport \"quadrille/v1/options.proto\";\n";
  for (const auto& import : imports) text += "import \"" + import + "\";\n";
  return text + "option (quadrille.v1.participant) = { name: \"" + name + "\", owner: \"team\" };\n" + options +
         messages + "// Generated.\nservice Steps {\n" + steps + "}\n";
}

SagaText::SagaText(std::vector<ParticipantText*> parts, std::string id, std::size_t public_events,
                   std::mt19937_64& random)
    : parts_(std::move(parts)), id_(std::move(id)), public_events_(public_events), random_(random) {
  // One participant is needed for the pivot and one for a retriable step; the rest is shared out.
  compensatable_ = 1 + random_() % (parts_.size() - 2);
  retriable_ = parts_.size() - 1 - compensatable_;
  failures_.resize(compensatable_ + 1);
}

bool SagaText::chance(unsigned percent) { return random_() % 100 < percent; }

SagaText::Said SagaText::event(ParticipantText& by, const std::string& name, const std::string& options) {
  by.events += "message " + name + " {\n  option (quadrille.v1.event) = { " + options +
               " };\n  string id = 1 [(quadrille.v1.field).key = true];\n}\n";
  by.imports.insert("estate/" + by.name + "_events.proto");
  return {"estate." + by.name + "." + name, &by};
}

std::string SagaText::trigger(ParticipantText& hearer, const std::string& name, const std::vector<Said>& events) {
  for (const auto& said : events) hearer.imports.insert("estate/" + said.by->name + "_events.proto");
  if (events.size() == 1) return events.front().full_name;
  hearer.messages += "message " + name + " {\n  option (quadrille.v1.trigger) = { join: ANY };\n";
  for (std::size_t i = 0; i < events.size(); ++i)
    hearer.messages +=
        "  " + events[i].full_name + " e" + std::to_string(i + 1) + " = " + std::to_string(i + 1) + ";\n";
  hearer.messages += "}\n";
  return name;
}

std::string SagaText::outcome(ParticipantText& sayer, const std::string& name, const std::vector<Said>& choice,
                              bool or_nothing) {
  sayer.messages += "message " + name + " {\n  oneof result {\n";
  int number = 0;
  for (const auto& said : choice) {
    sayer.imports.insert("estate/" + said.by->name + "_events.proto");
    ++number;
    sayer.messages += "    " + said.full_name + " o" + std::to_string(number) + " = " + std::to_string(number) + ";\n";
  }
  if (or_nothing) sayer.messages += "    quadrille.v1.Nothing nothing = " + std::to_string(++number) + ";\n";
  sayer.messages += "  }\n";
  for (std::size_t i = 0; i < public_events_; ++i) {
    const auto fact = event(sayer, name + "Fact" + std::to_string(i + 1), "audience: PUBLIC");
    ++number;
    sayer.messages += "  " + fact.full_name + " f" + std::to_string(i + 1) + " = " + std::to_string(number) + ";\n";
  }
  sayer.messages += "}\n";
  return name;
}

std::string SagaText::step(ParticipantText& by, const std::string& name, const std::string& input,
                           const std::string& output, const std::string& options) {
  by.steps += "  rpc " + name + "(" + input + ") returns (" + output + ") {\n    option (quadrille.v1.step) = { " +
              options + " };\n  }\n";
  return by.name + "." + name;
}

void SagaText::forward(SagaPlan& plan) {
  auto& first = *parts_.front();
  first.options += "option (quadrille.v1.saga) = { name: \"" + plan.name + "\", deadline: { seconds: 86400 } };\n";
  first.messages += "message Begin" + id_ + " {\n  string id = 1 [(quadrille.v1.field).key = true];\n}\n";
  Said heard;
  Said again;
  for (std::size_t i = 0; i <= compensatable_ + retriable_; ++i) {
    auto& part = *parts_[i];
    const auto number = id_ + "x" + std::to_string(i + 1);
    const bool last = i == compensatable_ + retriable_;
    const auto done = event(part, "Done" + number,
                            i == 0 ? "role: { saga: \"" + plan.name + "\", role: START }"
                            : last ? "role: { saga: \"" + plan.name + "\", role: END_DONE }"
                                   : "");
    std::vector<Said> choice{done};
    if (i == compensatable_ || (i > 0 && i < compensatable_ && chance(40))) {
      choice.push_back(event(part, "Refused" + number, "failure: true"));
      failures_[i].push_back(choice.back());
    }
    std::vector<Said> triggers{heard};
    std::string bound;
    if (again.by == &part) {
      choice.push_back(again);
      bound = ", bound: { loop: \"again" + number + "\", max: 3, exit: \"o1\" }";
    }
    // One retriable step in ten asks again a few times, through the step before it.
    if (i > compensatable_ && !last && chance(10)) {
      again = event(*parts_[i + 1], "Again" + number, "");
      triggers.push_back(again);
    }
    const auto input = i == 0 ? "Begin" + id_ : trigger(part, "Heard" + number, triggers);
    const auto output = outcome(part, "Said" + number, choice, false);
    if (i < compensatable_)
      plan.compensatable.push_back(
          step(part, "Do" + number, input, output, "kind: COMPENSATABLE, compensated_by: \"Undo" + number + "\""));
    else if (i == compensatable_)
      plan.pivot = step(part, "Do" + number, input, output,
                        plan.timed ? "kind: PIVOT, settles: \"Abandon" + id_ + "\"" : "kind: PIVOT");
    else
      plan.retriable.push_back(step(part, "Do" + number, input, output, "kind: RETRIABLE" + bound));
    heard = done;
  }
}

void SagaText::time_out(SagaPlan& plan) {
  auto& first = *parts_.front();
  auto& decider = *parts_[compensatable_];
  const auto late = event(first, "Late" + id_, "");
  const auto gives_up = outcome(first, "Waited" + id_, {late}, true);
  plan.give_up = step(first, "GiveUp" + id_, "quadrille.v1.Timer", gives_up,
                      "kind: QUERY, timeout: { armed_by: \"Do" + id_ + "x1\", after: { seconds: 900 } }");
  const auto answer = outcome(decider, "Answer" + id_, failures_[compensatable_], true);
  plan.abandon = step(decider, "Abandon" + id_, trigger(decider, "Ask" + id_, {late}), answer, "kind: QUERY");
}

void SagaText::backward(SagaPlan& plan) {
  plan.undo.resize(compensatable_);
  Said after;
  for (std::size_t i = compensatable_; i-- > 0;) {
    auto& part = *parts_[i];
    const auto number = id_ + "x" + std::to_string(i + 1);
    auto causes = failures_[i + 1];
    if (after.by != nullptr) causes.push_back(after);
    const auto undone =
        event(part, "Undone" + number, i == 0 ? "role: { saga: \"" + plan.name + "\", role: END_UNDONE }" : "");
    const auto output = outcome(part, "Back" + number, {undone}, false);
    plan.undo[i] = step(part, "Undo" + number, trigger(part, "Cause" + number, causes), output,
                        "kind: COMPENSATION, null_safe: true");
    after = undone;
  }
}

SagaPlan SagaText::write() {
  SagaPlan plan;
  plan.name = "saga" + id_;
  plan.timed = chance(50);
  forward(plan);
  if (plan.timed) time_out(plan);
  backward(plan);
  return plan;
}

}  // namespace quadrille::estate
