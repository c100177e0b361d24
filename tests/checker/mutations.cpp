#include "mutations.hpp"

#include "model_edit.hpp"

namespace quadrille::mutation {
namespace {

using contract::EventType;
using contract::Model;
using estate::SagaPlan;

std::string own_public_event(const Model& model, const std::string& step_name) {
  const auto owner = step_name.substr(0, step_name.find('.'));
  for (const auto& [name, event] : model.events)
    if (event.is_public && event.context == owner) return name;
  return {};
}

v1::SagaRole role(const SagaPlan& plan, v1::SagaRole::Role kind) {
  v1::SagaRole role;
  role.set_saga(plan.name);
  role.set_role(kind);
  return role;
}

std::string start_event(Model& model, const SagaPlan& plan) { return said(model, plan.compensatable.front()).name; }

/// The event that a pivot's no is.
std::string refusal(Model& model, const SagaPlan& plan) {
  return step(model, plan.pivot).outcomes.front().events.at(1);
}

std::vector<Mutation> wiring() {
  return {
      {"QDR101",
       [](Model& model, const SagaPlan& plan) {
         hear(step(model, plan.retriable.front()), add_event(model, said(model, plan.pivot), "Ghost"));
         return true;
       }},
      {"QDR102",
       [](Model& model, const SagaPlan& plan) {
         also_say(step(model, plan.retriable.front()), add_event(model, said(model, plan.retriable.front()), "Shout"));
         return true;
       }},
      {"QDR103",
       [](Model& model, const SagaPlan& plan) {
         add_step(model, plan.retriable.front(), "Echo", v1::OBSERVER, {start_event(model, plan)},
                  own_public_event(model, plan.pivot));
         return true;
       }},
      {"QDR104",
       [](Model& model, const SagaPlan& plan) {
         auto& one = model.events.at(own_public_event(model, plan.pivot));
         auto twin = one;
         twin.name = "elsewhere." + one.short_name;
         model.events[twin.name] = twin;
         also_say(step(model, plan.pivot), twin.name);
         return true;
       }},
      {"QDR105",
       [](Model& model, const SagaPlan& plan) {
         add_outsider(model, own_public_event(model, plan.pivot)).consumers.front().filters = {
             "evt.*." + said(model, plan.pivot).context + ".>"};
         return true;
       }},
      {"QDR106",
       [](Model& model, const SagaPlan& plan) {
         model.events.at(own_public_event(model, plan.pivot)).subject = "legacy.{Event}";
         return true;
       }},
      {"QDR107",
       [](Model& model, const SagaPlan& plan) {
         auto& filters = add_outsider(model, own_public_event(model, plan.pivot)).consumers.front().filters;
         filters.push_back(filters.front());
         return true;
       }},
      {"QDR108",
       [](Model& model, const SagaPlan& plan) {
         model.events.at(own_public_event(model, plan.pivot)).subject = "legacy.{nowhere}";
         model.streams.push_back({"LEGACY", {"legacy.>"}, v1::BrokerStream::LIMITS, {}, {}, {"s.proto", 1, 1}});
         return true;
       }},
      {"QDR109",
       [](Model& model, const SagaPlan& plan) {
         const auto own = add_event(model, said(model, plan.pivot), "Murmur");
         also_say(step(model, plan.pivot), own);
         add_step(model, plan.pivot, "Listen", v1::OBSERVER, {own});
         return true;
       }},
      {"QDR176",
       [](Model& model, const SagaPlan& plan) {
         said(model, plan.pivot).deprecated = true;
         return true;
       }},
  };
}

std::vector<Mutation> flow() {
  return {
      {"QDR110",
       [](Model& model, const SagaPlan& plan) {
         const auto lost = add_event(model, said(model, plan.retriable.front()), "Lost");
         also_say(step(model, plan.retriable.front()), lost);
         add_step(model, plan.pivot, "Drop", v1::QUERY, {lost});
         return true;
       }},
      {"QDR111",
       [](Model& model, const SagaPlan& plan) {
         add_event(model, said(model, plan.pivot), "Unused");
         return true;
       }},
      {"QDR112",
       [](Model& model, const SagaPlan& plan) {
         add_step(model, plan.pivot, "GoOn", v1::QUERY, {said(model, plan.retriable.back()).name});
         return true;
       }},
      {"QDR113",
       [](Model& model, const SagaPlan& plan) {
         auto& join = add_step(model, plan.compensatable.front(), "Await", v1::QUERY,
                               {said(model, plan.pivot).name, refusal(model, plan)});
         join.start = contract::Start::all_of;
         return !plan.timed;  // with a time-out the refusal may come beside
       }},
      {"QDR114",
       [](Model& model, const SagaPlan& plan) {
         if (plan.retriable.size() < 2) return false;
         const auto twin = add_event(model, said(model, plan.retriable[0]), "Twin");
         also_say(step(model, plan.retriable[0]), twin);
         hear(step(model, plan.retriable[1]), twin);
         return true;
       }},
      {"QDR115",
       [](Model& model, const SagaPlan& plan) {
         const auto twin = add_event(model, said(model, plan.pivot), "Twin");
         model.events.at(twin).key_field = "other_id";
         also_say(step(model, plan.pivot), twin);
         step(model, plan.pivot).new_instance = true;
         auto& join =
             add_step(model, plan.compensatable.front(), "Await", v1::OBSERVER, {said(model, plan.pivot).name, twin});
         join.start = contract::Start::all_of;
         return true;
       }},
      {"QDR116",
       [](Model& model, const SagaPlan&) {
         model.sagas.front().deadline = {};
         return true;
       }},
      {"QDR117",
       [](Model& model, const SagaPlan& plan) {
         for (const auto& name : plan.retriable)
           if (auto& bound = step(model, name).bound) {
             bound->max = 1'000;
             return true;
           }
         return false;
       },
       true},
  };
}

std::vector<Mutation> semantics() {
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

std::vector<Mutation> data_and_care() {
  return {
      {"QDR150",
       [](Model& model, const SagaPlan& plan) {
         step(model, plan.retriable.back()).needs.emplace_back("nowhere");
         return true;
       }},
      {"QDR151",
       [](Model& model, const SagaPlan& plan) {
         step(model, plan.compensatable.front()).holds.emplace_back("money");
         return true;
       }},
      {"QDR170",
       [](Model& model, const SagaPlan& plan) {
         model.events.at(own_public_event(model, plan.pivot)).key_field.clear();
         return true;
       }},
      {"QDR171",
       [](Model& model, const SagaPlan& plan) {
         said(model, plan.retriable.back()).key_field = "other_id";
         return true;
       }},
      {"QDR172",
       [](Model& model, const SagaPlan& plan) {
         said(model, plan.pivot).personal_fields.emplace_back("email");
         return true;
       }},
      {"QDR177",
       [](Model& model, const SagaPlan& plan) {
         said(model, plan.pivot).lite = true;
         return true;
       }},
      {"QDR178",
       [](Model& model, const SagaPlan& plan) {
         participant(model, plan.pivot).owner.clear();
         return true;
       }},
      {"QDR190",
       [](Model& model, const SagaPlan&) {
         model.streams.push_back(
             {"LEGACY", {"legacy.>"}, v1::BrokerStream::LIMITS, {}, std::chrono::seconds(5), {"s.proto", 1, 1}});
         return true;
       }},
      {"QDR191",
       [](Model& model, const SagaPlan&) {
         model.sagas.front().deadline = std::chrono::hours(24 * 30);
         return true;
       }},
      {"QDR192",
       [](Model& model, const SagaPlan& plan) {
         participant(model, plan.retriable.front())
             .consumers.push_back({"own", "EVT", {said(model, plan.pivot).subject_pattern()}, 5, {}, false});
         const auto& triggers = step(model, plan.retriable.front()).triggers;
         return triggers.front() == said(model, plan.pivot).name;
       }},
  };
}

}  // namespace

std::vector<Mutation> all() {
  std::vector<Mutation> list;
  for (const auto& family : {wiring(), flow(), semantics(), cycles_and_races(), data_and_care()})
    list.insert(list.end(), family.begin(), family.end());
  return list;
}

}  // namespace quadrille::mutation
