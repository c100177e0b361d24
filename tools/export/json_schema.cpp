#include "export/json_schema.hpp"

namespace quadrille::exports {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using nlohmann::ordered_json;

ordered_json reference(const std::string& name) { return {{"$ref", "#/components/schemas/" + name}}; }

/// Types of protobuf that its JSON mapping writes in a way of their own.
bool well_known(const Descriptor& message, ordered_json& schema) {
  const auto& name = message.full_name();
  if (name == "google.protobuf.Timestamp") {
    schema = {{"type", "string"}, {"format", "date-time"}};
  } else if (name == "google.protobuf.Duration") {
    schema = {{"type", "string"}, {"pattern", "^-?[0-9]+(\\.[0-9]+)?s$"}};
  } else if (name == "google.protobuf.Struct" || name == "google.protobuf.Any") {
    schema = {{"type", "object"}};
  } else {
    return false;
  }
  return true;
}

ordered_json type_of(const FieldDescriptor& field, ordered_json& schemas) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return {{"type", "integer"}, {"format", "int32"}};
    case FieldDescriptor::CPPTYPE_UINT32:
      return {{"type", "integer"}, {"minimum", 0}};
    case FieldDescriptor::CPPTYPE_INT64:  // JSON numbers lose them
      return {{"type", "string"}, {"pattern", "^-?[0-9]+$"}};
    case FieldDescriptor::CPPTYPE_UINT64:
      return {{"type", "string"}, {"pattern", "^[0-9]+$"}};
    case FieldDescriptor::CPPTYPE_DOUBLE:
    case FieldDescriptor::CPPTYPE_FLOAT:
      return {{"type", "number"}};
    case FieldDescriptor::CPPTYPE_BOOL:
      return {{"type", "boolean"}};
    case FieldDescriptor::CPPTYPE_STRING:
      if (field.type() == FieldDescriptor::TYPE_BYTES) return {{"type", "string"}, {"contentEncoding", "base64"}};
      return {{"type", "string"}};
    case FieldDescriptor::CPPTYPE_ENUM: {
      auto names = ordered_json::array();
      for (int i = 0; i < field.enum_type()->value_count(); ++i) names.push_back(field.enum_type()->value(i)->name());
      return {{"type", "string"}, {"enum", names}};
    }
    case FieldDescriptor::CPPTYPE_MESSAGE: {
      ordered_json schema;
      if (well_known(*field.message_type(), schema)) return schema;
      add_schema(*field.message_type(), schemas);
      return reference(field.message_type()->full_name());
    }
  }
  return ordered_json::object();
}

}  // namespace

void add_schema(const Descriptor& message, ordered_json& schemas) {
  const auto& name = message.full_name();
  if (schemas.contains(name)) return;
  schemas[name] = {};  // before its fields: messages may hold themselves
  auto properties = ordered_json::object();
  for (int i = 0; i < message.field_count(); ++i) {
    const auto& field = *message.field(i);
    auto& property = properties[field.json_name()];
    if (field.is_map())
      property = {{"type", "object"}, {"additionalProperties", type_of(*field.message_type()->map_value(), schemas)}};
    else if (field.is_repeated())
      property = {{"type", "array"}, {"items", type_of(field, schemas)}};
    else
      property = type_of(field, schemas);
  }
  schemas[name] = {{"type", "object"}, {"x-protobuf-type", name}, {"properties", properties}};
}

}  // namespace quadrille::exports
