#include "mutations.hpp"

#include "model_edit.hpp"

namespace quadrille::mutation {
namespace {

using contract::Model;
using estate::SagaPlan;

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
  for (const auto& family : {wiring(), flow(), saga_semantics(), cycles_and_races(), data_and_care()})
    list.insert(list.end(), family.begin(), family.end());
  return list;
}

}  // namespace quadrille::mutation
