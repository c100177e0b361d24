#include "rerun/compare.hpp"

#include "core/short_name.hpp"
#include "quadrille/error.hpp"

#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <sstream>

namespace quadrille::rerun {
namespace {

std::string shown(const casefile::v1::Said& said) { return short_name(said.type()) + " " + said.json(); }

void compare_fields(const runtime::Part& part, const Event& recorded, const Event& said,
                    std::vector<std::string>& lines) {
  std::string text;
  google::protobuf::util::MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&text);
  static_cast<void>(
      differencer.Compare(*part.parse(recorded.type, recorded.payload), *part.parse(said.type, said.payload)));
  std::istringstream all(text);
  const auto name = short_name(said.type);
  for (std::string line; std::getline(all, line);) lines.push_back(name + " " + line);
}

}  // namespace

casefile::v1::Said to_said(const google::protobuf::Message& message) {
  casefile::v1::Said said;
  said.set_type(message.GetTypeName());
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  static_cast<void>(google::protobuf::util::MessageToJsonString(message, said.mutable_json(), options));
  return said;
}

casefile::v1::Said to_said(const runtime::Part& part, const Event& event) {
  try {
    const auto messages = part.read(event.type, event.payload);
    if (messages.size() == 1) return to_said(*messages.front());
    casefile::v1::Said said;
    said.set_type(event.type);
    for (const auto& message : messages) said.mutable_json()->append(to_said(*message).json());
    return said;
  } catch (const Error& error) {
    casefile::v1::Said said;
    said.set_type(event.type);
    said.set_json(error.what());
    return said;
  }
}

std::vector<Event> today(const runtime::Part& part, const std::vector<Event>& recorded) {
  std::vector<Event> events;
  for (const auto& event : recorded) {
    if (!part.upcasts(event.type)) {
      events.push_back(event);
      continue;
    }
    for (const auto& message : part.read(event.type, event.payload)) {
      events.push_back(event);
      events.back().type = message->GetTypeName();
      events.back().payload = message->SerializeAsString();
    }
  }
  return events;
}

std::vector<std::string> difference(const runtime::Part& part, const std::vector<Event>& of_old,
                                    const std::vector<Event>& said) {
  const auto recorded = today(part, of_old);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::max(recorded.size(), said.size()); ++i) {
    if (i < recorded.size() && i < said.size() && recorded[i].type == said[i].type) {
      if (recorded[i].payload != said[i].payload) compare_fields(part, recorded[i], said[i], lines);
      continue;
    }
    if (i < recorded.size()) lines.push_back("- " + shown(to_said(part, recorded[i])));
    if (i < said.size()) lines.push_back("+ " + shown(to_said(part, said[i])));
  }
  return lines;
}

}  // namespace quadrille::rerun
