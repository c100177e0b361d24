#pragma once

#include "contract/model.hpp"

#include <google/protobuf/descriptor.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace google::protobuf {
class FileDescriptorSet;
}

namespace quadrille::checker {

/// Contracts read from `.proto` files or a descriptor set, with the descriptors they stand on. Locations name files as
/// the caller would, those of a descriptor set as it does.
class Contracts {
 public:
  /// `paths`: folders (searched for .proto files), .proto files, or one descriptor set (.binpb, .pb, .desc: `protoc
  /// --descriptor_set_out --include_imports --include_source_info`, or an image of buf). `import_roots`: what imports
  /// are relative to; where none is given, the nearest folder above the paths under which their imports are found. What
  /// cannot be parsed is a fault of the reading. Throws std::runtime_error when a path does not exist or holds no
  /// .proto file.
  Contracts(const std::vector<std::filesystem::path>& paths, const std::vector<std::filesystem::path>& import_roots);
  /// From a descriptor set, imports first; `name`: what to call it in messages.
  Contracts(const google::protobuf::FileDescriptorSet& set, const std::string& name);
  ~Contracts();
  Contracts(Contracts&&) noexcept;
  Contracts& operator=(Contracts&&) noexcept;

  [[nodiscard]] const contract::Reading& reading() const { return reading_; }
  [[nodiscard]] const google::protobuf::DescriptorPool& pool() const;

 private:
  struct Sources;
  void read_descriptor_set(const google::protobuf::FileDescriptorSet& set, const std::string& name);
  void read_sources(const std::vector<std::filesystem::path>& paths,
                    const std::vector<std::filesystem::path>& import_roots);
  void name_files();

  std::unique_ptr<Sources> sources_;
  contract::Reading reading_;
};

}  // namespace quadrille::checker
