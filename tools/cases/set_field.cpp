#include "cases/set_field.hpp"

#include "cases/descriptors.hpp"

#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/util/json_util.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <stdexcept>

namespace quadrille::cases {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

std::string names_of(const Descriptor& type) {
  std::string names;
  for (int i = 0; i < type.field_count(); ++i) names += (i == 0 ? "" : ", ") + type.field(i)->name();
  return names.empty() ? "none" : names;
}

/// Down to the message that has the last field of the path, which is cleared.
const FieldDescriptor& clear(Message& message, const std::string& path) {
  const auto dot = path.find('.');
  const auto* field = message.GetDescriptor()->FindFieldByName(path.substr(0, dot));
  const bool goes_on = dot != std::string::npos;
  if (field == nullptr || (goes_on && (field->message_type() == nullptr || field->is_repeated())))
    throw std::runtime_error("--set: " + message.GetTypeName() + " has no " + (goes_on ? "message" : "field") + " '" +
                             path.substr(0, dot) + "'; its fields: " + names_of(*message.GetDescriptor()));
  if (goes_on) return clear(*message.GetReflection()->MutableMessage(&message, field), path.substr(dot + 1));
  message.GetReflection()->ClearField(&message, field);
  return *field;
}

nlohmann::json as_json(const FieldDescriptor& field, const std::string& value) {
  const bool text =
      field.cpp_type() == FieldDescriptor::CPPTYPE_STRING || field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM;
  const auto json = nlohmann::json::parse(value, nullptr, false);
  if (text && !field.is_repeated() && !json.is_string()) return value;
  return json.is_discarded() ? nlohmann::json(value) : json;
}

}  // namespace

std::string with_field(const casefile::v1::Case& one, const casefile::v1::RecordedEvent& event,
                       const std::string& field, const std::string& value) {
  const auto pool = pool_of(one);
  const auto* type = pool->FindMessageTypeByName(event.type());
  if (type == nullptr)
    throw std::runtime_error("--set: the case does not describe " + event.type() +
                             "; export it with the contracts that declare it");
  google::protobuf::DynamicMessageFactory factory;
  const std::unique_ptr<Message> message(factory.GetPrototype(type)->New());
  if (!message->ParseFromString(event.payload()))
    throw std::runtime_error("--set: event " + event.id() + " is not a " + event.type());
  const auto& last = clear(*message, field);
  auto json = as_json(last, value);
  for (auto rest = field; !rest.empty();) {
    const auto dot = rest.rfind('.');
    const auto name = dot == std::string::npos ? rest : rest.substr(dot + 1);
    json = nlohmann::json{{name, std::move(json)}};
    rest = dot == std::string::npos ? "" : rest.substr(0, dot);
  }
  const std::unique_ptr<Message> set(factory.GetPrototype(type)->New());
  if (const auto status = google::protobuf::util::JsonStringToMessage(json.dump(), set.get()); !status.ok())
    throw std::runtime_error("--set " + field + ": '" + value + "' is no " + last.type_name() + ": " +
                             std::string(status.message()));
  message->MergeFrom(*set);
  return message->SerializeAsString();
}

}  // namespace quadrille::cases
