#include "replay/decode.hpp"

#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/wrappers.pb.h>

#include <memory>

namespace quadrille::replay {
namespace {

nlohmann::ordered_json undecoded(const Event& event, const std::string& why) {
  google::protobuf::BytesValue bytes;  // protobuf's JSON of bytes is base64
  bytes.set_value(event.payload);
  std::string base64;
  static_cast<void>(google::protobuf::util::MessageToJsonString(bytes, &base64));
  return {{"undecoded", why}, {"bytes", nlohmann::ordered_json::parse(base64)}};
}

}  // namespace

nlohmann::ordered_json decode(const Event& event, const google::protobuf::DescriptorPool& pool) {
  const auto* type = pool.FindMessageTypeByName(event.type);
  if (type == nullptr) return undecoded(event, "no contract given declares " + event.type);
  google::protobuf::DynamicMessageFactory factory;
  const std::unique_ptr<google::protobuf::Message> message(factory.GetPrototype(type)->New());
  if (!message->ParseFromString(event.payload)) return undecoded(event, "the bytes are not a " + event.type);
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  std::string json;
  static_cast<void>(google::protobuf::util::MessageToJsonString(*message, &json, options));
  return nlohmann::ordered_json::parse(json);
}

}  // namespace quadrille::replay
