#include "model_edit.hpp"
#include "mutations.hpp"

namespace quadrille::mutation {
namespace {

using contract::Model;
using estate::SagaPlan;

/// A loop from the second retriable step back to the first.
bool ask_again(Model& model, const SagaPlan& plan) {
  if (plan.retriable.size() < 2 || step(model, plan.retriable[1]).bound) return false;
  const auto again = add_event(model, said(model, plan.retriable[1]), "OnceMore");
  may_say(step(model, plan.retriable[1]), again);
  hear(step(model, plan.retriable[0]), again);
  return true;
}

/// Without a pivot, without anything to undo: somebody else ends the saga, too.
void decide_beside(Model& model, const SagaPlan& plan, const std::string& by) {
  for (auto& owner : model.participants)
    for (auto& each : owner.steps)
      if (each.kind != v1::COMPENSATION) {
        each.kind = v1::QUERY;
        each.compensated_by.clear();
      }
  const auto end = add_event(model, said(model, by), "Refused");
  model.events.at(end).roles.push_back(role(plan, v1::SagaRole::END_UNDONE));
  add_step(model, by, "Refuse", v1::QUERY, {start_event(model, plan)}, end);
}

}  // namespace

std::vector<Mutation> saga_semantics() {
  return {
      {"QDR121",
       [](Model& model, const SagaPlan& plan) {
         step(model, plan.compensatable.back()).compensated_by.clear();
         return true;
       }},
      {"QDR122",
       [](Model& model, const SagaPlan& plan) {
         const auto forgotten = add_event(model, said(model, plan.pivot), "Forgotten");
         model.events.at(forgotten).failure = true;
         may_say(step(model, plan.pivot), forgotten);
         const auto undone = said(model, plan.undo.front()).name;
         add_step(model, plan.undo.front(), "Close", v1::QUERY, {forgotten}, undone);
         return true;
       }},
      {"QDR123",
       [](Model& model, const SagaPlan& plan) {
         if (plan.undo.size() != 2) return false;
         // The first is undone first: it hears every no, the second hears it and ends the saga.
         auto& first = step(model, plan.undo[0]);
         auto& second = step(model, plan.undo[1]);
         const auto old_end = first.outcomes.front().events.front();
         const auto old_middle = second.outcomes.front().events.front();
         std::vector<std::string> failures;
         for (const auto* undo : {&first, &second})
           for (const auto& cause : undo->triggers)
             if (model.events.at(cause).failure) failures.push_back(cause);
         const auto middle = add_event(model, model.events.at(old_end), "FirstBack");
         const auto end = add_event(model, model.events.at(old_middle), "AllBack");
         model.events.at(end).roles.push_back(role(plan, v1::SagaRole::END_UNDONE));
         first.start = second.start = contract::Start::any_of;
         first.triggers = failures;
         first.trigger_fields.assign(failures.size(), "f");
         first.outcomes.front().events.front() = middle;
         second.triggers = {middle};
         second.trigger_fields = {"f"};
         second.outcomes.front().events.front() = end;
         model.events.erase(old_end);
         model.events.erase(old_middle);
         return true;
       }},
      {"QDR124",
       [](Model& model, const SagaPlan& plan) {
         const auto stuck = add_event(model, said(model, plan.undo.front()), "Stuck");
         model.events.at(stuck).failure = true;
         model.events.at(stuck).roles.push_back(role(plan, v1::SagaRole::END_STUCK));
         may_say(step(model, plan.undo.front()), stuck);
         return true;
       }},
      {"QDR125",
       [](Model& model, const SagaPlan& plan) {
         // Nothing was done that the no would have to undo.
         for (const auto& name : plan.compensatable) {
           step(model, name).kind = v1::QUERY;
           step(model, name).compensated_by.clear();
         }
         const auto no = add_event(model, said(model, plan.retriable.back()), "No");
         model.events.at(no).failure = true;
         model.events.at(no).roles.push_back(role(plan, v1::SagaRole::END_UNDONE));
         may_say(step(model, plan.retriable.back()), no);
         return true;
       }},
      {"QDR126",
       [](Model& model, const SagaPlan& plan) {
         if (!plan.timed || plan.undo.size() < 2) return false;
         step(model, plan.undo.back()).null_safe = false;
         return true;
       }},
      {"QDR127",
       [](Model& model, const SagaPlan& plan) {
         hear(step(model, plan.undo.back()), said(model, plan.retriable.front()).name);
         return plan.retriable.size() > 1;
       }},
      {"QDR128",
       [](Model& model, const SagaPlan& plan) {
         add_step(model, plan.pivot, "Tidy", v1::COMPENSATION, {start_event(model, plan)});
         return true;
       }},
      {"QDR129",
       [](Model& model, const SagaPlan& plan) {
         if (!plan.timed) return false;
         step(model, plan.abandon).write = v1::DELTA;
         return true;
       }},
      {"QDR130",
       [](Model& model, const SagaPlan& plan) {
         if (plan.timed) return false;  // without a pivot nobody settles the time-out
         step(model, plan.pivot).kind = v1::QUERY;
         return true;
       }},
      {"QDR131",
       [](Model& model, const SagaPlan& plan) {
         step(model, plan.retriable.back()).kind = v1::PIVOT;
         return !plan.timed;  // whom the time-out asks would not decide the second
       }},
      {"QDR132",
       [](Model& model, const SagaPlan& plan) {
         auto& late = step(model, plan.retriable.back());
         late.kind = v1::COMPENSATABLE;
         late.compensated_by = "UndoLate";
         add_step(model, plan.retriable.back(), "UndoLate", v1::COMPENSATION, {refusal(model, plan)});
         return true;
       }},
      {"QDR133",
       [](Model& model, const SagaPlan& plan) {
         const auto veto = add_event(model, said(model, plan.retriable.back()), "Veto");
         model.events.at(veto).failure = true;
         add_step(model, plan.retriable.back(), "Object", v1::QUERY, {start_event(model, plan)}, veto);
         hear(step(model, plan.undo.back()), veto);
         return true;
       }},
      {"QDR134",
       [](Model& model, const SagaPlan& plan) {
         participant(model, plan.retriable.front()).external = true;
         return true;
       }},
      {"QDR180",
       [](Model&, const SagaPlan& plan) { return plan.compensatable.size() + 1 + plan.retriable.size() >= 4; }, true},
      {"QDR181",
       [](Model& model, const SagaPlan& plan) {
         step(model, plan.undo.front()).write = v1::ABSOLUTE;
         said(model, plan.undo.front()).shared = true;
         return true;
       }},
  };
}

std::vector<Mutation> cycles_and_races() {
  return {
      {"QDR152",
       [](Model& model, const SagaPlan& plan) {
         if (plan.retriable.size() < 4) return false;
         step(model, plan.compensatable.front()).holds = {"money"};
         step(model, plan.pivot).holds = {"stock"};
         step(model, plan.retriable[0]).releases = {"money", "stock"};
         step(model, plan.retriable[1]).holds = {"stock"};
         step(model, plan.retriable[2]).holds = {"money"};
         step(model, plan.retriable[3]).releases = {"money", "stock"};
         step(model, plan.undo.front()).releases = {"money", "stock"};
         return true;
       }},
      {"QDR160",
       [](Model& model, const SagaPlan& plan) {
         decide_beside(model, plan, plan.pivot);
         return !plan.timed;
       }},
      {"QDR164",
       [](Model& model, const SagaPlan& plan) {
         decide_beside(model, plan, plan.retriable.back());
         return !plan.timed;
       }},
      {"QDR140", ask_again},
      {"QDR142",
       [](Model& model, const SagaPlan& plan) {
         // Whoever hears the end answers its beginner, who listens only.
         const auto answer = add_event(model, said(model, plan.retriable.back()), "Answer");
         also_say(step(model, plan.retriable.back()), answer);
         add_step(model, plan.compensatable.front(), "Hear", v1::OBSERVER, {answer});
         return true;
       },
       true},
      {"QDR143",
       [](Model& model, const SagaPlan& plan) {
         if (plan.undo.size() < 3) return false;
         const auto back = said(model, plan.undo[1]).name;
         hear(step(model, plan.undo[2]), back);
         step(model, plan.undo[1]).bound = contract::Bound{"rounds", 2, "", {}};
         return true;
       }},
      {"QDR144",
       [](Model& model, const SagaPlan& plan) {
         step(model, plan.pivot).bound = contract::Bound{"nothing", 2, "o1", {}};
         return true;
       }},
      {"QDR161",
       [](Model& model, const SagaPlan& plan) {
         if (!plan.timed) return false;
         hear(step(model, plan.undo.back()), said(model, plan.give_up).name);
         return plan.undo.size() > 1;  // else its own service hears itself
       }},
      {"QDR162",
       [](Model& model, const SagaPlan& plan) {
         if (!plan.timed) return false;
         step(model, plan.give_up).timeout->after = std::chrono::hours(48);
         return true;
       }},
      {"QDR165",
       [](Model& model, const SagaPlan& plan) {
         const auto twin = add_event(model, said(model, plan.pivot), "Twin");
         also_say(step(model, plan.pivot), twin);
         const auto second = add_event(model, said(model, plan.retriable.front()), "SecondDone");
         model.events.at(twin).is_public = model.events.at(second).is_public = true;  // no end has to follow
         add_step(model, plan.retriable.front(), "Second", v1::RETRIABLE, {twin}, second);
         add_step(model, plan.pivot, "Hear", v1::OBSERVER, {second});
         return true;
       }},
  };
}

}  // namespace quadrille::mutation
