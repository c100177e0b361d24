// protoc plugin: for each file that declares a participant, the header with the base class of its steps.
//   protoc --plugin=protoc-gen-quadrille --quadrille_out=OUT -I contracts contracts/shop/payment/v1/payment.proto
#include "generator.hpp"
#include "runtime/manual.hpp"

#include <google/protobuf/compiler/plugin.h>

#include <iostream>
#include <string>

namespace {

/// protoc gives a plugin no arguments: whoever does is a person, or the build.
int tell_about_itself(int argc, char** argv) {
  CLI::App app(
      "Plugin of protoc: the C++ base class of each participant's steps.\n\n"
      "protoc runs it for --quadrille_out and gives it what it has read. For each file that declares a participant it "
      "writes one header, FILE.quadrille.hpp, with an abstract class that has one function a step.\n\n"
      "  protoc --quadrille_out=OUT -I contracts contracts/shop/payment/v1/payment.proto\n\n"
      "Exit code: 0 good, 1 a contract cannot be used, and protoc says why.",
      "protoc-gen-quadrille");
  app.set_version_flag("--version", "protoc-gen-quadrille " QUADRILLE_VERSION);
  std::string manual;  // its date
  const auto* wanted = app.add_option("--manual", manual)->group("");
  CLI11_PARSE(app, argc, argv);
  if (wanted->count() > 0)
    std::cout << quadrille::runtime::manual_page(app, quadrille::runtime::ManualFormat::roff,
                                                 {QUADRILLE_VERSION, manual});
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return tell_about_itself(argc, argv);
  const quadrille::StepsGenerator generator;
  return google::protobuf::compiler::PluginMain(argc, argv, &generator);
}
