#include "contract/fingerprint.hpp"

#include "contract/model.hpp"
#include "core/sha256.hpp"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace quadrille::contract {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;

/// The option as bytes in hexadecimal; deterministic because our options hold no maps and are all known here.
std::string option_text(const google::protobuf::Message& option) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : option.SerializeAsString()) {
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

class Canon {
 public:
  void message(const Descriptor& type) {
    if (!seen_.insert(type.full_name()).second) return;
    std::map<int, const FieldDescriptor*> by_number;
    for (int i = 0; i < type.field_count(); ++i) by_number[type.field(i)->number()] = type.field(i);
    const auto& stream = type.file()->options().GetExtension(v1::stream);
    std::string text =
        "message " + type.full_name() + " event=" + (type.options().HasExtension(v1::event) ? "1" : "0") +
        option_text(type.options().GetExtension(v1::event)) +
        " trigger=" + option_text(type.options().GetExtension(v1::trigger)) + " stream=" + option_text(stream) + "\n";
    for (const auto& [number, field] : by_number) {
      text += "  " + std::to_string(number) + " " + field->name() + " " + field->type_name() + " " +
              (field->is_repeated() ? "repeated" : "single");
      if (const auto* choice = field->real_containing_oneof()) text += " oneof=" + choice->name();
      if (field->message_type() != nullptr) text += " type=" + field->message_type()->full_name();
      if (field->enum_type() != nullptr) text += " type=" + field->enum_type()->full_name();
      text += " option=" + option_text(field->options().GetExtension(v1::field)) + "\n";
    }
    parts_.push_back(std::move(text));
    for (const auto& [number, field] : by_number) {
      if (field->message_type() != nullptr) message(*field->message_type());
      if (field->enum_type() != nullptr) enumeration(*field->enum_type());
    }
  }

  void enumeration(const EnumDescriptor& type) {
    if (!seen_.insert(type.full_name()).second) return;
    std::map<int, std::string> values;
    for (int i = 0; i < type.value_count(); ++i) values[type.value(i)->number()] += " " + type.value(i)->name();
    std::string text = "enum " + type.full_name() + "\n";
    for (const auto& [number, names] : values) text += "  " + std::to_string(number) + names + "\n";
    parts_.push_back(std::move(text));
  }

  void add(std::string text) { parts_.push_back(std::move(text)); }

  [[nodiscard]] std::string text() {
    std::ranges::sort(parts_);
    std::string whole = "quadrille contract 1\n";
    for (const auto& part : parts_) whole += part;
    return whole;
  }

 private:
  std::set<std::string> seen_;
  std::vector<std::string> parts_;
};

}  // namespace

std::string canonical_text(const google::protobuf::ServiceDescriptor& service) {
  Canon canon;
  canon.add("participant " + service.full_name() + " " +
            option_text(service.file()->options().GetExtension(v1::participant)) + "\n");
  if (service.options().HasExtension(v1::orchestration))
    canon.add("orchestration " + option_text(service.options().GetExtension(v1::orchestration)) + "\n");
  for (int i = 0; i < service.method_count(); ++i) {
    const auto& method = *service.method(i);
    canon.add("step " + method.name() + " " + method.input_type()->full_name() + " -> " +
              method.output_type()->full_name() + " " + option_text(method.options().GetExtension(v1::step)) + "\n");
    canon.message(*method.input_type());
    canon.message(*method.output_type());
  }
  return canon.text();
}

std::string fingerprint(const google::protobuf::ServiceDescriptor& service) { return sha256(canonical_text(service)); }

}  // namespace quadrille::contract
