#include "core/time_text.hpp"
#include "export/export.hpp"
#include "export/json_schema.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace quadrille::exports {
namespace {

using nlohmann::ordered_json;

/// Names of components hold letters, digits, dots, dashes and underscores only; full protobuf names do.
class Document {
 public:
  Document(const contract::Model& model, const contract::Participant& participant,
           const google::protobuf::DescriptorPool& pool)
      : model_(model), participant_(participant), pool_(pool) {}

  std::string write() {
    for (const auto& step : participant_.steps) {
      for (const auto& trigger : step.triggers) add(trigger, "receive", step);
      for (const auto& emitted : step.emits()) add(emitted, "send", step);
    }
    ordered_json document{{"asyncapi", "3.0.0"},
                          {"info",
                           {{"title", participant_.name},
                            {"version", "1.0.0"},
                            {"description", participant_.description.empty() ? "A participant of choreographed sagas."
                                                                             : participant_.description},
                            {"x-quadrille-owner", participant_.owner},
                            {"x-quadrille-external", participant_.external}}},
                          {"defaultContentType", "application/json"},
                          {"channels", channels_},
                          {"operations", operations_},
                          {"components", {{"messages", messages_}, {"schemas", schemas_}}},
                          {"x-quadrille-steps", steps()}};
    return document.dump(2) + "\n";
  }

 private:
  void add(const std::string& event_name, const std::string& action, const contract::Step& step) {
    const auto& event = model_.events.at(event_name);
    if (!messages_.contains(event_name)) add_message(event);
    auto& operation = operations_[action + "." + event_name];
    if (operation.is_null())
      operation = {{"action", action},
                   {"channel", {{"$ref", "#/channels/" + event_name}}},
                   {"messages", ordered_json::array({{{"$ref", "#/channels/" + event_name + "/messages/event"}}})},
                   {"x-quadrille-steps", ordered_json::array()}};
    operation["x-quadrille-steps"].push_back(step.name);
  }

  void add_message(const contract::EventType& event) {
    add_schema(*pool_.FindMessageTypeByName(event.name), schemas_);
    auto headers = ordered_json::object();
    for (const auto* name : {"ce-id", "ce-type", "ce-source", "ce-subject", "ce-time"})
      headers[name] = {{"type", "string"}};
    messages_[event.name] = {{"name", event.name},
                             {"title", event.short_name},
                             {"contentType", "application/json"},
                             {"headers", {{"type", "object"}, {"properties", headers}}},
                             {"payload", {{"$ref", "#/components/schemas/" + event.name}}}};
    ordered_json channel{{"address", event.subject.empty() ? "evt.{lane}." + event.context + "." + event.aggregate +
                                                                 "." + event.short_name
                                                           : address(event)},
                         {"messages", {{"event", {{"$ref", "#/components/messages/" + event.name}}}}}};
    auto parameters = ordered_json::object();
    if (event.subject.empty()) {
      parameters["lane"] = {{"description", "FNV-1a of the key modulo the number of lanes"}};
      channel["x-quadrille-stream"] = "EVT";
    } else {
      for (const auto& field : event.fields)
        if (event.subject.find("{" + field.name + "}") != std::string::npos)
          parameters[field.name] = {{"description", "field " + field.name + " of the event"}};
    }
    if (!parameters.empty()) channel["parameters"] = parameters;
    channels_[event.name] = channel;
  }

  static std::string address(const contract::EventType& event) {
    auto text = event.subject;
    if (const auto at = text.find("{Event}"); at != std::string::npos) text.replace(at, 7, event.short_name);
    return text;
  }

  [[nodiscard]] ordered_json steps() const {
    auto list = ordered_json::array();
    for (const auto& step : participant_.steps) {
      ordered_json entry{{"name", step.name},
                         {"kind", v1::StepKind_Name(step.kind)},
                         {"receives", step.triggers},
                         {"sends", step.emits()}};
      if (!step.compensated_by.empty()) entry["compensatedBy"] = step.compensated_by;
      if (step.timeout)
        entry["timeout"] = {{"armedBy", step.timeout->armed_by}, {"after", duration_text(step.timeout->after)}};
      list.push_back(std::move(entry));
    }
    return list;
  }

  const contract::Model& model_;
  const contract::Participant& participant_;
  const google::protobuf::DescriptorPool& pool_;
  ordered_json channels_ = ordered_json::object();
  ordered_json operations_ = ordered_json::object();
  ordered_json messages_ = ordered_json::object();
  ordered_json schemas_ = ordered_json::object();
};

}  // namespace

std::string asyncapi(const contract::Model& model, const contract::Participant& participant,
                     const google::protobuf::DescriptorPool& pool) {
  return Document(model, participant, pool).write();
}

}  // namespace quadrille::exports
