#include "cases/redact.hpp"

#include "core/sha256.hpp"
#include "core/uuid.hpp"
#include "quadrille/v1/options.pb.h"

#include <google/protobuf/dynamic_message.h>

#include <memory>
#include <string>
#include <vector>

namespace quadrille::cases {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Options of a pool that was built at run time may hold ours as unknown fields; only a parse resolves them.
v1::Field use_of(const FieldDescriptor& field) {
  google::protobuf::FieldOptions options;
  options.ParseFromString(field.options().SerializeAsString());
  return options.GetExtension(v1::field);
}

class Redaction {
 public:
  void apply(Message& message) {
    std::vector<const FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    for (const auto* field : fields) {
      if (use_of(*field).pii() == v1::Field::DIRECT)
        replace(message, *field);
      else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
        descend(message, *field);
    }
  }

  [[nodiscard]] std::string pseudonym(const std::string& value) const {
    constexpr std::size_t digits = 12;
    return "redacted-" + sha256(salt_ + value).substr(0, digits);
  }

 private:
  void replace(Message& message, const FieldDescriptor& field) {
    const auto& reflection = *message.GetReflection();
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_STRING) return reflection.ClearField(&message, &field);
    if (!field.is_repeated())
      return reflection.SetString(&message, &field, pseudonym(reflection.GetString(message, &field)));
    for (int i = 0; i < reflection.FieldSize(message, &field); ++i)
      reflection.SetRepeatedString(&message, &field, i, pseudonym(reflection.GetRepeatedString(message, &field, i)));
  }

  void descend(Message& message, const FieldDescriptor& field) {
    const auto& reflection = *message.GetReflection();
    if (!field.is_repeated()) return apply(*reflection.MutableMessage(&message, &field));
    for (int i = 0; i < reflection.FieldSize(message, &field); ++i)
      apply(*reflection.MutableRepeatedMessage(&message, &field, i));
  }

  std::string salt_ = new_uuid();
};

bool has_personal_key(const google::protobuf::Descriptor& type) {
  for (int i = 0; i < type.field_count(); ++i)
    if (const auto use = use_of(*type.field(i)); use.key() && use.pii() == v1::Field::DIRECT) return true;
  return false;
}

}  // namespace

void redact(casefile::v1::Case& one, const google::protobuf::DescriptorPool& pool) {
  Redaction redaction;
  google::protobuf::DynamicMessageFactory factory;
  for (auto& event : *one.mutable_event()) {
    const auto* type = pool.FindMessageTypeByName(event.type());
    const std::unique_ptr<Message> message(type == nullptr ? nullptr : factory.GetPrototype(type)->New());
    if (message == nullptr || !message->ParseFromString(event.payload())) {
      event.clear_payload();
      event.set_left_out(true);
      continue;
    }
    message->DiscardUnknownFields();
    redaction.apply(*message);
    event.set_payload(message->SerializeAsString());
    if (!has_personal_key(*type)) continue;
    event.set_key(redaction.pseudonym(event.key()));
    event.clear_subject();  // holds a lane of the key, and nothing here reads it
  }
  one.mutable_header()->set_personal_data(casefile::v1::REDACTED);
}

}  // namespace quadrille::cases
