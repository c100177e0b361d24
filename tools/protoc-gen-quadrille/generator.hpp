#pragma once

#include <google/protobuf/compiler/code_generator.h>

#include <string>

namespace quadrille {

/// Writes `x.quadrille.hpp` beside `x.pb.h`: one abstract class template per participant over its aggregate's state,
/// one pure virtual function per step. A contract with a fault is refused with file:line, what is wrong, how to repair
/// it.
class StepsGenerator final : public google::protobuf::compiler::CodeGenerator {
 public:
  [[nodiscard]] uint64_t GetSupportedFeatures() const override { return FEATURE_PROTO3_OPTIONAL; }
  bool Generate(const google::protobuf::FileDescriptor* file, const std::string& parameter,
                google::protobuf::compiler::GeneratorContext* context, std::string* error) const override;
};

}  // namespace quadrille
