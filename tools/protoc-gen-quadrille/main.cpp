// protoc plugin: for each file that declares a participant, the header with the base class of its steps.
//   protoc --plugin=protoc-gen-quadrille --quadrille_out=OUT -I contracts contracts/shop/payment/v1/payment.proto
#include "generator.hpp"

#include <google/protobuf/compiler/plugin.h>

int main(int argc, char** argv) {
  const quadrille::StepsGenerator generator;
  return google::protobuf::compiler::PluginMain(argc, argv, &generator);
}
