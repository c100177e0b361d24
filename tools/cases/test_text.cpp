#include "cases/test_text.hpp"

#include "cases/descriptors.hpp"
#include "contract/cpp_names.hpp"
#include "quadrille/v1/options.pb.h"

#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>

#include <cctype>
#include <memory>
#include <set>
#include <stdexcept>

namespace quadrille::cases {
namespace {

using casefile::v1::Run;
using casefile::v1::Said;

class TestWriter {
 public:
  TestWriter(const casefile::v1::Case& one, const TestNames& names) : pool_(pool_of(one)), names_(names) {}

  void add(const Run& run) {
    switch (run.verdict()) {
      case casefile::v1::NOT_RUN:
        for (const auto& said : run.recorded()) body_ += "  scenario.given(" + message(said) + ");\n";
        return;
      case casefile::v1::IN_FLIGHT:
        return;  // nobody knows yet what it will say
      default:
        break;
    }
    if (!run.recorded_error().empty()) {
      body_ +=
          "  // " + run.step() + " failed when it was recorded: " + contract::cpp_literal(run.recorded_error()) + "\n";
      return;
    }
    for (const auto& wanted : run.wanted())
      if (wanted.granted())
        body_ += "  scenario.resource(" + contract::cpp_literal(wanted.resource()) + ", " +
                 std::to_string(wanted.amount()) + ");\n";
    if (run.start() == Run::COMMAND && !run.note().empty()) body_ += "  // " + contract::cpp_literal(run.note()) + "\n";
    body_ += run.start() == Run::TIMER ? "  scenario.when_timer(" + contract::cpp_literal(run.step()) + ", " +
                                             contract::cpp_literal(run.key()) + ")"
                                       : "  scenario.when(" + message(run.trigger()) + ")";
    std::string said;
    for (const auto& one : run.recorded()) said += (said.empty() ? "" : ",\n                ") + message(one);
    body_ += "\n      .then(" + said + ");\n";
    ++runs_;
  }

  [[nodiscard]] std::string text(const std::string& saga_id) const {
    if (runs_ == 0)
      throw std::runtime_error("saga " + saga_id + " started no step of this participant that could be tested");
    std::string includes;
    for (const auto& header : headers_) includes += "#include \"" + header + "\"\n";
    return "// What was recorded of saga " + contract::cpp_literal(saga_id) +
           ", written by `quadrille case to-test`.\n#include \"" + names_.header +
           "\"\n#include \"quadrille/testing.hpp\"\n" + includes +
           "\n#include <google/protobuf/text_format.h>\n#include <gtest/gtest.h>\n\n#include <stdexcept>\n\nnamespace "
           "{\n\ntemplate <class Message>\nMessage recorded(const char* text) {\n  Message message;\n  if "
           "(!google::protobuf::TextFormat::ParseFromString(text, &message)) throw std::runtime_error(text);\n  return "
           "message;\n}\n\nTEST(" +
           names_.suite + ", " + names_.test + ") {\n  quadrille::testing::Scenario<" + names_.service +
           "> scenario;\n" + body_ + "}\n\n}  // namespace\n";
  }

 private:
  std::string message(const Said& said) {
    const auto* type = pool_->FindMessageTypeByName(said.type());
    if (type == nullptr)
      throw std::runtime_error("the case does not describe " + said.type() +
                               "; export it with the contracts that declare it");
    google::protobuf::DynamicMessageFactory factory;
    const std::unique_ptr<google::protobuf::Message> content(factory.GetPrototype(type)->New());
    const auto status = google::protobuf::util::JsonStringToMessage(said.json(), content.get());
    if (!status.ok()) throw std::runtime_error("no " + said.type() + ": " + said.json());
    auto header = type->file()->name();
    headers_.insert(header.replace(header.rfind('.'), std::string::npos, ".pb.h"));
    google::protobuf::TextFormat::Printer printer;
    printer.SetSingleLineMode(true);
    printer.SetUseUtf8StringEscaping(true);
    std::string text;
    printer.PrintToString(*content, &text);
    if (text.ends_with(' ')) text.pop_back();
    return "recorded<" + contract::cpp_scope(said.type()) + ">(R\"text(" + text + ")text\")";
  }

  std::unique_ptr<google::protobuf::DescriptorPool> pool_;
  const TestNames& names_;
  std::set<std::string> headers_;
  std::string body_;
  int runs_ = 0;
};

std::string upper_first(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

}  // namespace

TestNames usual_names(const casefile::v1::Case& one, const std::string& participant) {
  TestNames names;
  for (const auto& file : one.header().descriptors().file()) {
    if (file.options().GetExtension(v1::participant).name() != participant) continue;
    const auto package = file.package().substr(0, file.package().rfind('.'));
    names.service = contract::cpp_scope(package) + "::" + upper_first(participant) + "Service";
  }
  names.header = participant + "/" + participant + "_service.hpp";
  names.suite = upper_first(participant) + "Case";
  names.test = "Saga";
  for (const char c : one.header().saga_id())
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) names.test += c;
  return names;
}

std::string as_test(const casefile::v1::Case& one, const casefile::v1::Report& report, const TestNames& names) {
  if (names.service.empty())
    throw std::runtime_error("--service: the case does not say which class has the steps of " + report.participant());
  if (!report.could_not().empty()) throw std::runtime_error(report.could_not());
  TestWriter writer(one, names);
  for (const auto& run : report.run()) writer.add(run);
  return writer.text(report.saga_id());
}

}  // namespace quadrille::cases
