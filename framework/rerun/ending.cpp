#include "rerun/ending.hpp"

#include "core/short_name.hpp"

#include <google/protobuf/message.h>
#include <google/protobuf/timestamp.pb.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <map>
#include <memory>

namespace quadrille::rerun {
namespace {

using casefile::v1::Report;
using casefile::v1::Said;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

void clear_times(Message& message) {
  const auto* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const auto* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || field->is_map()) continue;
    if (field->message_type() == google::protobuf::Timestamp::descriptor())
      reflection->ClearField(&message, field);
    else if (!field->is_repeated())
      clear_times(*reflection->MutableMessage(&message, field));
    else
      for (int i = 0; i < reflection->FieldSize(message, field); ++i)
        clear_times(*reflection->MutableRepeatedMessage(&message, field, i));
  }
}

/// As JSON, without times.
std::string content(const Said& said) {
  const auto* type = google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(said.type());
  if (type == nullptr) return said.json();
  const std::unique_ptr<Message> message(
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(type)->New());
  if (!google::protobuf::util::JsonStringToMessage(said.json(), message.get()).ok()) return said.json();
  clear_times(*message);
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string json;
  static_cast<void>(google::protobuf::util::MessageToJsonString(*message, &json, options));
  return json;
}

struct Ending {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> said;  ///< contents by key and type
  std::map<std::string, std::string> last;                                      ///< type by key
  std::map<std::string, std::string> resources;
  std::map<std::string, std::string> waits;
};

Ending ending_of(const Report& report, const std::set<std::string>& tolerated) {
  Ending ending;
  for (const auto& run : report.run()) {
    for (const auto& said : run.said()) {
      const auto type = short_name(said.type());
      if (tolerated.contains(type)) continue;
      ending.said[run.key()][type].push_back(content(said));
      ending.last[run.key()] = type;
    }
    if (!run.error().empty()) ending.waits[run.step() + " on " + short_name(run.cause_type())] = run.error();
  }
  for (auto& [key, types] : ending.said)
    for (auto& [type, contents] : types) std::ranges::sort(contents);
  for (const auto& one : report.resource())
    ending.resources[one.name()] = "held " + std::to_string(one.held()) + ", taken " + std::to_string(one.taken()) +
                                   ", added " + std::to_string(one.added());
  return ending;
}

void compare_contents(const std::string& what, const std::vector<std::string>& before,
                      const std::vector<std::string>& now, std::vector<std::string>& lines) {
  if (before.size() != now.size()) {
    lines.push_back(what + " is recorded " + std::to_string(now.size()) + " times instead of " +
                    std::to_string(before.size()));
    return;
  }
  for (std::size_t i = 0; i < now.size(); ++i)
    if (now[i] != before[i]) lines.push_back(what + " says " + now[i] + " instead of " + before[i]);
}

template <class Map>
std::set<std::string> keys_of(const Map& one, const Map& other) {
  std::set<std::string> keys;
  for (const auto& [key, value] : one) keys.insert(key);
  for (const auto& [key, value] : other) keys.insert(key);
  return keys;
}

/// The value at a key; an empty one where there is none.
template <class Map>
typename Map::mapped_type at(const Map& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? typename Map::mapped_type{} : found->second;
}

}  // namespace

std::vector<std::string> divergence(const Report& undisturbed, const Report& disturbed,
                                    const std::set<std::string>& tolerated) {
  const auto before = ending_of(undisturbed, tolerated);
  const auto now = ending_of(disturbed, tolerated);
  const auto named = [](const std::string& text, const char* none) { return text.empty() ? std::string(none) : text; };
  std::vector<std::string> lines;
  for (const auto& key : keys_of(before.said, now.said)) {
    const auto one = at(before.said, key);
    const auto other = at(now.said, key);
    for (const auto& type : keys_of(one, other))
      compare_contents(type + " of " + key, at(one, type), at(other, type), lines);
    const auto last = at(before.last, key);
    if (const auto ends = at(now.last, key); ends != last)
      lines.push_back(key + " ends with " + named(ends, "nothing") + " instead of " + named(last, "nothing"));
  }
  for (const auto& name : keys_of(before.resources, now.resources))
    if (at(before.resources, name) != at(now.resources, name))
      lines.push_back(name + ": " + named(at(now.resources, name), "nothing held") + " instead of " +
                      named(at(before.resources, name), "nothing held"));
  for (const auto& step : keys_of(before.waits, now.waits))
    if (at(before.waits, step) != at(now.waits, step))
      lines.push_back(now.waits.contains(step) ? step + " waits at the end: " + now.waits.at(step)
                                               : step + " does not wait at the end, as it does undisturbed");
  return lines;
}

}  // namespace quadrille::rerun
