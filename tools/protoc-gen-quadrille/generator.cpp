#include "generator.hpp"

#include "contract/cpp_names.hpp"
#include "contract/fingerprint.hpp"
#include "contract/model.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/printer.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <sstream>

namespace quadrille {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FileDescriptor;
using google::protobuf::MethodDescriptor;
using google::protobuf::ServiceDescriptor;
using google::protobuf::io::Printer;

std::string cpp_type(const Descriptor& message) {
  std::string name = message.name();
  const Descriptor* outermost = &message;
  while (outermost->containing_type() != nullptr) {
    outermost = outermost->containing_type();
    name = outermost->name() + "_" + name;
  }
  return "::" + contract::cpp_scope(message.file()->package()) + "::" + name;
}

std::string join(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : separator) + part;
  return text;
}

std::string fault_text(const std::vector<contract::Fault>& faults) {
  std::ostringstream text;
  for (const auto& fault : faults) {
    text << "\n" << fault.location.file;
    if (fault.location.line > 0) text << ":" << fault.location.line << ":" << fault.location.column;
    text << ": " << fault.what << "\n  repair: " << fault.repair;
  }
  return text.str();
}

/// The C++ types of the events a participant records, each once.
std::vector<std::string> recorded_events(const contract::Participant& participant, const FileDescriptor& file) {
  std::vector<std::string> types;
  std::set<std::string> seen;
  for (const auto& step : participant.steps)
    for (const auto& event : step.emits())
      if (seen.insert(event).second) types.push_back(cpp_type(*file.pool()->FindMessageTypeByName(event)));
  return types;
}

/// What the checker understands and the runtime does not do yet: refused, so that nobody relies on it.
std::string beyond_the_runtime(const contract::Model& model) {
  for (const auto& participant : model.participants) {
    if (participant.external) continue;
    for (const auto& step : participant.steps) {
      for (const auto& emitted : step.emits())
        if (const auto* event = model.find_event(emitted); !event->subject.empty())
          return event->location.file + ":" + std::to_string(event->location.line) + ": event " + event->short_name +
                 " has a subject of its own, on which the runtime does not publish\n  repair: remove the subject; it "
                 "is "
                 "for participants with external: true";
      const auto place = step.location.file + ":" + std::to_string(step.location.line) + ": step " + step.name;
      if (step.start == contract::Start::all_of)
        return place +
               " joins with ALL, which the runtime does not run yet\n  repair: let each event start a step (join: ANY) "
               "and decide from the folded state when all are there";
      if (step.bound)
        return place +
               " declares a bound, which the runtime does not count yet\n  repair: count the rounds in the folded "
               "state and emit the exit there";
    }
  }
  return {};
}

void write_step(Printer& out, const MethodDescriptor& method) {
  out.Print(
      "\n  virtual $outcome$ $name$(const $trigger$& trigger, const State& state, ::quadrille::Step& step) = 0;\n",
      "outcome", cpp_type(*method.output_type()), "name", contract::step_function(method.name()), "trigger",
      cpp_type(*method.input_type()));
}

void write_dispatch(Printer& out, const ServiceDescriptor& service) {
  out.Print(
      "\n  std::unique_ptr<::google::protobuf::Message> handle(int step_index, const ::google::protobuf::Message& "
      "trigger,\n"
      "                                                      const ::quadrille::Aggregate& aggregate, "
      "::quadrille::Step& step) final {\n"
      "    const State& state = static_cast<const Folded&>(aggregate).state();\n"
      "    switch (step_index) {\n");
  for (int i = 0; i < service.method_count(); ++i)
    out.Print(
        "      case $index$:\n"
        "        return ::quadrille::boxed(this->$name$(static_cast<const $trigger$&>(trigger), state, step));\n",
        "index", std::to_string(i), "name", contract::step_function(service.method(i)->name()), "trigger",
        cpp_type(*service.method(i)->input_type()));
  out.Print(
      "      default:\n"
      "        throw ::quadrille::Error(::quadrille::Disposition::stop, \"no step of that index\");\n"
      "    }\n"
      "  }\n");
}

void write_class(Printer& out, const ServiceDescriptor& service, const contract::Participant& participant) {
  const auto events = join(recorded_events(participant, *service.file()), ", ");
  out.Print(
      "/// The steps of participant \"$participant$\". State is folded from the events it records: it needs one\n"
      "/// `void apply(const Event&)` for each of them. A step decides: it returns the outcome, and what it returns is "
      "said.\n"
      "template <class State>\n"
      "class $name$ : public ::quadrille::Participant {\n"
      " public:\n"
      "  using Folded = ::quadrille::AggregateOf<State$events$>;\n",
      "participant", participant.name, "name", service.name(), "events", events.empty() ? "" : ", " + events);
  for (int i = 0; i < service.method_count(); ++i) write_step(out, *service.method(i));
  out.Print(
      "\n  const ::google::protobuf::ServiceDescriptor& contract() const final {\n"
      "    return *$anchor$::descriptor()->file()->FindServiceByName(\"$name$\");\n"
      "  }\n"
      "  std::string_view fingerprint() const final { return \"$fingerprint$\"; }\n"
      "  std::unique_ptr<::quadrille::Aggregate> new_aggregate() const final { return std::make_unique<Folded>(); }\n",
      "anchor", cpp_type(*service.file()->message_type(0)), "name", service.name(), "fingerprint",
      contract::fingerprint(service));
  write_dispatch(out, service);
  out.Print("};\n\n");
}

/// A conductor's class: of each step the command, and what is remembered of its reply.
void write_saga(Printer& out, const ServiceDescriptor& service, const contract::Participant& participant) {
  const auto& saga = *participant.orchestration;
  const auto& pool = *service.file()->pool();
  const auto type = [&](const std::string& name) { return cpp_type(*pool.FindMessageTypeByName(name)); };
  const auto context = type(saga.context);
  const auto& start = *service.FindMethodByName(saga.start);
  out.Print(
      "/// The saga that participant \"$participant$\" conducts. Write pure functions alone: what each command says, "
      "and "
      "what\n"
      "/// the saga remembers of each reply. What comes next, is repeated or undone, is the framework's.\n"
      "class $name$ : public ::quadrille::Orchestrator {\n"
      " public:\n"
      "  using Context = $context$;\n"
      "  using Folded = ::quadrille::SagaOf<Context>;\n\n"
      "  virtual Context begin(const $start$& command) const = 0;\n",
      "participant", participant.name, "name", service.name(), "context", context, "start",
      cpp_type(*start.input_type()));
  for (const auto& step : saga.steps) {
    const bool undoes = step.kind == v1::COMPENSATION;
    out.Print(
        "\n  virtual $command$ command_$name$(const Context& context) const = 0;\n"
        "  virtual void fold_$name$(const $reply$& reply, Context& context) const $body$\n",
        "command", type(step.command), "name", contract::snake_case(step.name), "reply", type(step.reply), "body",
        undoes ? "{ static_cast<void>(reply), static_cast<void>(context); }" : "= 0;");
  }
  out.Print(
      "\n  const ::google::protobuf::ServiceDescriptor& contract() const final {\n"
      "    return *$says$::descriptor()->file()->FindServiceByName(\"$name$\");\n"
      "  }\n"
      "  std::string_view fingerprint() const final { return \"$fingerprint$\"; }\n"
      "  std::unique_ptr<::quadrille::Aggregate> new_aggregate() const final { return std::make_unique<Folded>(); }\n\n"
      " protected:\n"
      "  std::unique_ptr<::google::protobuf::Message> new_says() const final { return std::make_unique<$says$>(); }\n"
      "  void begin_with(const ::google::protobuf::Message& command, ::google::protobuf::Message& context) const final "
      "{\n"
      "    static_cast<Context&>(context) = begin(static_cast<const $start$&>(command));\n"
      "  }\n"
      "  std::unique_ptr<::google::protobuf::Message> command_of(int rpc, const ::google::protobuf::Message& context) "
      "const final {\n"
      "    const auto& known = static_cast<const Context&>(context);\n"
      "    switch (rpc) {\n",
      "says", type(saga.says), "name", service.name(), "fingerprint", contract::fingerprint(service), "start",
      cpp_type(*start.input_type()));
  for (const auto& step : saga.steps)
    out.Print("      case $index$:\n        return ::quadrille::boxed(command_$name$(known));\n", "index",
              std::to_string(service.FindMethodByName(step.name)->index()), "name", contract::snake_case(step.name));
  out.Print(
      "      default:\n"
      "        throw ::quadrille::Error(::quadrille::Disposition::stop, \"no command of that index\");\n"
      "    }\n"
      "  }\n"
      "  void fold_of(int rpc, const ::google::protobuf::Message& reply, ::google::protobuf::Message& context) const "
      "final {\n"
      "    auto& known = static_cast<Context&>(context);\n"
      "    switch (rpc) {\n");
  for (const auto& step : saga.steps)
    out.Print("      case $index$:\n        return fold_$name$(static_cast<const $reply$&>(reply), known);\n", "index",
              std::to_string(service.FindMethodByName(step.name)->index()), "name", contract::snake_case(step.name),
              "reply", type(step.reply));
  out.Print(
      "      default:\n"
      "        throw ::quadrille::Error(::quadrille::Disposition::stop, \"no reply of that index\");\n"
      "    }\n"
      "  }\n"
      "};\n\n");
}

}  // namespace

bool StepsGenerator::Generate(const FileDescriptor* file, const std::string&,
                              google::protobuf::compiler::GeneratorContext* context, std::string* error) const {
  const std::array<const FileDescriptor*, 1> files{file};
  const auto reading = contract::read(files);
  if (!reading.faults.empty()) {
    *error = fault_text(reading.faults);
    return false;
  }
  if (reading.model.participants.empty()) return true;  // an events file: its classes are all there is
  if (const auto complaint = beyond_the_runtime(reading.model); !complaint.empty()) {
    *error = complaint;
    return false;
  }
  if (file->message_type_count() == 0) {
    *error = file->name() + ": a steps file needs at least one message of its own, such as the outcome of a step";
    return false;
  }

  const std::string base = file->name().substr(0, file->name().rfind(".proto"));
  const std::unique_ptr<google::protobuf::io::ZeroCopyOutputStream> output(context->Open(base + ".quadrille.hpp"));
  Printer out(output.get(), '$');
  const bool conducts = std::ranges::any_of(
      reading.model.participants, [](const auto& participant) { return participant.orchestration.has_value(); });
  out.Print(
      "// Generated by protoc-gen-quadrille from $file$; do not edit.\n#pragma once\n\n"
      "#include <memory>\n#include <string_view>\n\n#include \"$base$.pb.h\"\n#include "
      "\"$header$\"\n\n"
      "namespace $namespace$ {\n\n",
      "header", conducts ? "quadrille/orchestrator.hpp" : "quadrille/participant.hpp", "file", file->name(), "base",
      base, "namespace", contract::cpp_scope(file->package()));
  for (int i = 0; i < file->service_count(); ++i)
    for (const auto& participant : reading.model.participants)
      if (participant.service == file->service(i)->full_name())
        (participant.orchestration ? write_saga : write_class)(out, *file->service(i), participant);
  out.Print("}  // namespace $namespace$\n", "namespace", contract::cpp_scope(file->package()));
  return true;
}

}  // namespace quadrille
