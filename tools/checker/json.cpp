#include "checker/report.hpp"

#include <nlohmann/json.hpp>

namespace quadrille::checker {
namespace {

using nlohmann::ordered_json;

ordered_json place(const contract::Location& location) {
  return {{"file", location.file}, {"line", location.line}, {"column", location.column}};
}

ordered_json event_json(const contract::EventType& event) {
  auto roles = ordered_json::array();
  for (const auto& role : event.roles)
    roles.push_back({{"saga", role.saga()}, {"role", v1::SagaRole::Role_Name(role.role())}});
  auto fields = ordered_json::array();
  for (const auto& field : event.fields) fields.push_back({{"name", field.name}, {"type", field.type}});
  return {{"name", event.name},
          {"context", event.context},
          {"aggregate", event.aggregate},
          {"subject", event.subject_pattern()},
          {"key", event.key_field},
          {"failure", event.failure},
          {"public", event.is_public},
          {"deprecated", event.deprecated},
          {"roles", roles},
          {"fields", fields},
          {"personal_fields", event.personal_fields},
          {"place", place(event.location)}};
}

ordered_json step_json(const contract::Step& step) {
  auto outcomes = ordered_json::array();
  for (const auto& group : step.outcomes)
    outcomes.push_back(
        {{"exclusive", group.exclusive}, {"may_be_nothing", group.may_be_nothing}, {"events", group.events}});
  static constexpr const char* starts[] = {"event", "all", "any", "timer", "command"};
  ordered_json json{{"name", step.name},
                    {"kind", v1::StepKind_Name(step.kind)},
                    {"start", starts[static_cast<int>(step.start)]},
                    {"triggers", step.triggers},
                    {"outcomes", outcomes}};
  if (!step.compensated_by.empty()) json["compensated_by"] = step.compensated_by;
  if (step.timeout) json["timeout"] = {{"armed_by", step.timeout->armed_by}, {"after_ms", step.timeout->after.count()}};
  if (step.bound)
    json["bound"] = {{"loop", step.bound->loop},
                     {"max", step.bound->max},
                     {"exit", step.bound->exit},
                     {"resets", step.bound->resets}};
  if (step.null_safe) json["null_safe"] = true;
  for (const auto& [name, list] :
       {std::pair{"settles", &step.settles}, std::pair{"sagas", &step.sagas}, std::pair{"holds", &step.holds},
        std::pair{"releases", &step.releases}, std::pair{"needs", &step.needs}})
    if (!list->empty()) json[name] = *list;
  if (step.write != v1::WRITE_UNSPECIFIED) json["write"] = v1::Write_Name(step.write);
  if (!step.idempotency_key.empty()) json["idempotency_key"] = step.idempotency_key;
  if (step.objective.count() > 0) json["objective_ms"] = step.objective.count();
  json["place"] = place(step.location);
  return json;
}

ordered_json model_json(const contract::Model& model) {
  auto participants = ordered_json::array();
  for (const auto& participant : model.participants) {
    auto steps = ordered_json::array();
    for (const auto& step : participant.steps) steps.push_back(step_json(step));
    participants.push_back({{"name", participant.name},
                            {"owner", participant.owner},
                            {"external", participant.external},
                            {"service", participant.service},
                            {"steps", steps},
                            {"place", place(participant.location)}});
  }
  auto events = ordered_json::array();
  for (const auto& [name, event] : model.events) events.push_back(event_json(event));
  return {{"participants", participants}, {"events", events}};
}

ordered_json saga_json(const contract::Model& model, const Metrics& metrics) {
  const auto* declared = model.find_saga(metrics.saga);
  return {{"name", metrics.saga},
          {"deadline_ms", declared == nullptr ? 0 : declared->deadline.count()},
          {"steps", metrics.steps},
          {"events", metrics.events},
          {"participants", metrics.participants},
          {"widest_fan_out", metrics.widest_fan_out},
          {"longest_way", metrics.longest_way}};
}

ordered_json finding_json(const Finding& finding) {
  auto witness = ordered_json::array();
  for (const auto& station : finding.witness)
    witness.push_back({{"label", station.label}, {"place", place(station.location)}});
  ordered_json json{{"code", finding.code},
                    {"severity", name_of(finding.severity)},
                    {"place", place(finding.location)},
                    {"message", finding.message},
                    {"hint", finding.hint},
                    {"saga", finding.saga},
                    {"about", finding.about},
                    {"fingerprint", fingerprint(finding)},
                    {"witness", witness}};
  if (!finding.suppressed.empty()) json["suppressed"] = finding.suppressed;
  return json;
}

}  // namespace

std::string as_json(const contract::Model& model, const std::vector<Metrics>& sagas,
                    const std::vector<Finding>& findings) {
  auto saga_list = ordered_json::array();
  for (const auto& metrics : sagas) saga_list.push_back(saga_json(model, metrics));
  auto list = ordered_json::array();
  for (const auto& finding : findings) list.push_back(finding_json(finding));
  return ordered_json{
             {"schema", "quadrille-check/1"}, {"model", model_json(model)}, {"sagas", saga_list}, {"findings", list}}
             .dump(2) +
         "\n";
}

}  // namespace quadrille::checker
