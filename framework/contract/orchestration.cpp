#include "contract/orchestration.hpp"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <map>

namespace quadrille::contract {
namespace {

using google::protobuf::ServiceDescriptor;

/// The ways through a saga that its declaration leaves open.
class Ways {
 public:
  explicit Ways(const Orchestration& saga) : saga_(saga) {
    for (const auto& step : saga.steps) {
      if (step.kind == v1::COMPENSATION) continue;
      if (groups_.empty() || step.group.empty() || groups_.back().front()->group != step.group) groups_.emplace_back();
      groups_.back().push_back(&step);
    }
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const auto* step : groups_[g]) {
        group_of_[step->name] = g;
        if (step->kind == v1::PIVOT) pivot_ = std::min(pivot_, g);
      }
  }

  /// Commands of the first group.
  [[nodiscard]] std::vector<std::string> first() const {
    return groups_.empty() ? std::vector<std::string>{} : commands(0);
  }
  /// What may be said once a step is done. Of a group that is joined the last one stands for all: a drawing in which
  /// each of them went on would show the next step once for each.
  [[nodiscard]] std::vector<std::string> after(const OrchestratedStep& step) const {
    const auto next = group_of_.at(step.name) + 1;
    if (groups_[next - 1].back() != &step) return {saga_.moved};
    if (next < groups_.size()) return commands(next);
    return {saga_.completed};
  }
  /// What may be said once it says no: nothing but a repetition from the pivot on.
  [[nodiscard]] std::vector<std::string> after_no(const OrchestratedStep& step) const {
    const auto group = group_of_.at(step.name);
    if (!goes_back(step)) return {};
    std::vector<std::string> said;
    for (const auto* other : groups_[group])
      if (other != &step) add_undo(*other, said);
    undo_before(group, said);
    return said;
  }
  /// What may be said once the clock has run out for a step before the pivot: whether it was done is not known.
  [[nodiscard]] std::vector<std::string> after_time(const OrchestratedStep& step) const {
    std::vector<std::string> said;
    if (!goes_back(step)) return said;
    add_undo(step, said);
    if (said.empty()) return after_no(step);
    return said;
  }
  [[nodiscard]] bool goes_back(const OrchestratedStep& step) const { return group_of_.at(step.name) < pivot_; }
  /// What may be said once the compensation of a step is done.
  [[nodiscard]] std::vector<std::string> after_undo(const OrchestratedStep& step) const {
    const auto group = group_of_.at(step.name);
    std::vector<std::string> said;
    for (const auto* other : groups_[group]) {
      if (other == &step) break;
      add_undo(*other, said);
    }
    undo_before(group, said);
    return said;
  }

 private:
  [[nodiscard]] std::vector<std::string> commands(std::size_t group) const {
    std::vector<std::string> names;
    for (const auto* step : groups_[group]) names.push_back(step->command);
    return names;
  }
  void add_undo(const OrchestratedStep& step, std::vector<std::string>& said) const {
    if (const auto* undo = saga_.find_step(step.compensated_by)) said.push_back(undo->command);
  }
  void undo_before(std::size_t group, std::vector<std::string>& said) const {
    while (group-- > 0) {
      const auto before = said.size();
      for (const auto* step : groups_[group]) add_undo(*step, said);
      if (said.size() > before) return;  // something of it was done: all of it is before the command that follows
    }
    said.push_back(saga_.cancelled);
  }

  const Orchestration& saga_;
  std::vector<std::vector<const OrchestratedStep*>> groups_;
  std::map<std::string, std::size_t> group_of_;
  std::size_t pivot_ = static_cast<std::size_t>(-1);
};

class Steps {
 public:
  Steps(const Orchestration& saga, const ServiceDescriptor& service, const std::string& participant,
        const OrchestrationReader& reader)
      : saga_(saga), service_(service), participant_(participant), reader_(reader), ways_(saga) {}

  std::vector<Step> make() {
    begins();
    for (const auto& step : saga_.steps) {
      if (step.kind != v1::COMPENSATION) {
        reaction(step, false, all_of(ways_.after(step)));
        if (!step.no.empty()) reaction(step, true, one_of(ways_.after_no(step)));
        continue;
      }
      std::vector<std::string> said;
      for (const auto& undone : saga_.steps)
        if (undone.compensated_by == step.name && undone.kind != v1::COMPENSATION && ways_.goes_back(undone))
          add_new(ways_.after_undo(undone), said);
      reaction(step, false, one_of(said));
    }
    std::vector<std::string> late{saga_.moved};
    for (const auto& step : saga_.steps)
      if (step.kind != v1::COMPENSATION) add_new(ways_.after_time(step), late);
    clock(time_out_step, saga_.start, late);
    clock(continue_step, time_out_step, {saga_.moved});
    return std::move(steps_);
  }

 private:
  static void add_new(const std::vector<std::string>& events, std::vector<std::string>& said) {
    for (const auto& event : events)
      if (std::ranges::find(said, event) == said.end()) said.push_back(event);
  }

  Step& add(const std::string& name, const std::string& rpc) {
    const auto& method = *service_.FindMethodByName(rpc);
    Step step;
    step.name = name;
    step.rpc = rpc;
    step.participant = participant_;
    step.service = service_.full_name();
    step.kind = v1::QUERY;  // it decides; what has to be undone is its participants'
    step.input = method.input_type()->full_name();
    step.output = saga_.says;
    step.location = reader_.locate(method);
    return steps_.emplace_back(std::move(step));
  }

  [[nodiscard]] std::string field_for(const std::string& event) const {
    const auto* says = service_.file()->pool()->FindMessageTypeByName(saga_.says);
    const auto* field = says == nullptr ? nullptr : field_of_type(*says, event);
    return field == nullptr ? std::string{} : field->name();
  }
  [[nodiscard]] std::vector<OutcomeGroup> all_of(const std::vector<std::string>& events) const {
    std::vector<OutcomeGroup> groups;
    for (const auto& event : events) groups.push_back({false, false, {field_for(event)}, {event}});
    return groups;
  }
  [[nodiscard]] std::vector<OutcomeGroup> one_of(const std::vector<std::string>& events) const {
    if (events.empty()) return {{false, false, {field_for(saga_.moved)}, {saga_.moved}}};
    OutcomeGroup group{true, false, {}, {}};
    for (const auto& event : events) {
      group.fields.push_back(field_for(event));
      group.events.push_back(event);
    }
    return {group};
  }

  void begins() {
    if (saga_.start.empty()) return;
    auto& step = add(saga_.start, saga_.start);
    step.start = Start::command;
    const auto& input = *service_.FindMethodByName(saga_.start)->input_type();
    for (int i = 0; i < input.field_count(); ++i) step.input_fields.push_back(input.field(i)->name());
    step.outcomes = all_of({saga_.started});
    for (auto& group : all_of(ways_.first())) step.outcomes.push_back(std::move(group));
  }

  /// Of steps that share a reply, which is against the law (QDR138), the last one hears it.
  [[nodiscard]] const OrchestratedStep* owner_of(const std::string& reply) const {
    const OrchestratedStep* owner = nullptr;
    for (const auto& step : saga_.steps)
      for (const auto* replies : {&step.ok, &step.no})
        if (std::ranges::find(*replies, reply) != replies->end()) owner = &step;
    return owner;
  }

  void reaction(const OrchestratedStep& declared, bool to_no, std::vector<OutcomeGroup> outcomes) {
    const auto& events = to_no ? declared.no : declared.ok;
    const auto fields = declared.reply_fields.begin() + (to_no ? static_cast<std::ptrdiff_t>(declared.ok.size()) : 0);
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < events.size(); ++i)
      if (owner_of(events[i]) == &declared) own.push_back(i);
    if (own.empty()) return;
    auto& step = add(declared.name + (to_no ? "No" : ""), declared.name);
    step.input = declared.reply;
    for (const auto i : own) {
      step.triggers.push_back(events[i]);
      step.trigger_fields.push_back(fields[static_cast<std::ptrdiff_t>(i)]);
    }
    step.start = step.trigger_fields.size() == 1 && step.trigger_fields.front().empty() ? Start::event : Start::any_of;
    step.outcomes = std::move(outcomes);
  }

  /// Continue is run by nobody but a person; what leads there is that the clock has run out of patience.
  void clock(const char* name, const std::string& armed_by, const std::vector<std::string>& said) {
    if (service_.FindMethodByName(name) == nullptr) return;
    auto& step = add(name, name);
    step.start = Start::timer;
    step.timeout = Timeout{armed_by, saga_.steps.empty() ? std::chrono::milliseconds(1) : saga_.steps.front().timeout};
    step.outcomes = one_of(said);
    step.outcomes.front().may_be_nothing = true;
  }

  const Orchestration& saga_;
  const ServiceDescriptor& service_;
  const std::string& participant_;
  const OrchestrationReader& reader_;
  const Ways ways_;
  std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> steps_of(const Orchestration& saga, const ServiceDescriptor& service, const std::string& participant,
                           const OrchestrationReader& reader) {
  return Steps(saga, service, participant, reader).make();
}

std::vector<BrokenLaw> broken_laws(const Orchestration& saga, const Location& place) {
  std::vector<BrokenLaw> broken;
  const OrchestratedStep* pivot = nullptr;
  std::map<std::string, std::string> answers;
  for (const auto& step : saga.steps)
    if (step.kind == v1::PIVOT) {
      if (pivot != nullptr)
        broken.push_back(
            {"QDR135", step.location, step.name,
             "step " + step.name + " is a second pivot; the first is " + pivot->name,
             "there is one point of no return: make the later one RETRIABLE or the earlier one COMPENSATABLE"});
      else
        pivot = &step;
    }
  if (pivot == nullptr)
    broken.push_back(
        {"QDR135", place, "", "the saga has no pivot", "give the step that decides that it goes ahead kind: PIVOT"});
  bool past = false;
  for (const auto& step : saga.steps) {
    past = past || &step == pivot;
    const bool beside = pivot != nullptr && &step != pivot && !step.group.empty() && step.group == pivot->group;
    if ((past || beside) && step.kind != v1::COMPENSATION &&
        (step.kind == v1::COMPENSATABLE || !step.compensated_by.empty()))
      broken.push_back(
          {"QDR136", step.location, step.name,
           "step " + step.name + " has a compensation" +
               (&step == pivot ? " but is the pivot" : " but comes after, or beside, pivot " + pivot->name),
           "from the pivot on the saga only goes forward: make the step RETRIABLE, or move it before"});
    else if (!past && !beside && pivot != nullptr && step.kind == v1::RETRIABLE)
      broken.push_back({"QDR137", step.location, step.name,
                        "step " + step.name + " is RETRIABLE but comes before pivot " + pivot->name +
                            ": when a later step says no, what it did stays done",
                        "make it COMPENSATABLE with a compensation, QUERY if it leaves nothing, or move it after"});
    else if (step.kind == v1::COMPENSATABLE) {
      const auto* undo = saga.find_step(step.compensated_by);
      if (undo == nullptr || undo->kind != v1::COMPENSATION)
        broken.push_back(
            {"QDR137", step.location, step.name,
             "step " + step.name +
                 (undo == nullptr ? " is COMPENSATABLE but nothing undoes it"
                                  : " names " + undo->name + " as its compensation, which is no COMPENSATION step"),
             "add compensated_by with an rpc of kind COMPENSATION, or make it QUERY if it leaves nothing"});
    }
    auto replies = step.ok;
    replies.insert(replies.end(), step.no.begin(), step.no.end());
    for (const auto& reply : replies)
      if (const auto [known, added] = answers.emplace(reply, step.name); !added)
        broken.push_back({"QDR138", step.location, step.name,
                          reply + " answers both " + known->second + " and " + step.name +
                              ": which of them was done nobody can tell",
                          "let each step be answered by an event of its own"});
  }
  return broken;
}

}  // namespace quadrille::contract
