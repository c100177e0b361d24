#include "checker/load.hpp"

#include "checker/proto_files.hpp"
#include "data/data_folder.hpp"

#include <google/protobuf/compiler/importer.h>
#include <google/protobuf/descriptor.pb.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <stdexcept>

namespace quadrille::checker {
namespace {

namespace fs = std::filesystem;

/// protoc's complaints as faults.
class Complaints final : public google::protobuf::compiler::MultiFileErrorCollector {
 public:
  void AddError(const std::string& file, int line, int column, const std::string& message) override {
    if (message.find("was not found or had errors") != std::string::npos)
      return;  // a consequence: its cause is told, too
    faults.push_back({{file, line + 1, column + 1}, message, repair(message)});
  }
  std::vector<contract::Fault> faults;

 private:
  static std::string repair(const std::string& message) {
    if (message.find("File not found") != std::string::npos)
      return "correct the path of the import, or say by -I what imports are relative to";
    if (message.find("is not defined") != std::string::npos)
      return "correct the name, or import the file that declares it";
    return "make the file valid protobuf";
  }
};

}  // namespace

struct Contracts::Sources {
  google::protobuf::compiler::DiskSourceTree tree;
  Complaints complaints;
  google::protobuf::compiler::Importer importer{&tree, &complaints};
  std::vector<fs::path> roots;
  google::protobuf::DescriptorPool of_set;
  bool is_set = false;
};

Contracts::Contracts(const std::vector<fs::path>& paths, const std::vector<fs::path>& import_roots)
    : sources_(std::make_unique<Sources>()) {
  if (std::ranges::none_of(paths, is_descriptor_set)) {
    read_sources(paths, import_roots);
    return;
  }
  if (paths.size() > 1)
    throw std::runtime_error(
        "a descriptor set is read by itself: make one of all files with protoc --include_imports "
        "--include_source_info");
  const auto& file = paths.front();
  std::ifstream input(file, std::ios::binary);
  if (!input) throw std::runtime_error("there is no " + file.string());
  google::protobuf::FileDescriptorSet set;
  if (!set.ParseFromIstream(&input) || set.file_size() == 0)
    throw std::runtime_error(file.string() +
                             " is no descriptor set; make one with protoc --descriptor_set_out=FILE --include_imports "
                             "--include_source_info");
  read_descriptor_set(set, file.string());
}

Contracts::Contracts(const google::protobuf::FileDescriptorSet& set, const std::string& name)
    : sources_(std::make_unique<Sources>()) {
  read_descriptor_set(set, name);
}

void Contracts::read_descriptor_set(const google::protobuf::FileDescriptorSet& set, const std::string& name) {
  sources_->is_set = true;
  std::vector<const google::protobuf::FileDescriptor*> descriptors;
  for (const auto& one : set.file()) {
    const auto* descriptor = sources_->of_set.BuildFile(one);
    if (descriptor == nullptr)
      throw std::runtime_error(name + " lacks imports of " + one.name() +
                               ", or holds them after it; make it with protoc --include_imports");
    if (!is_brought_along(one.name())) descriptors.push_back(descriptor);
  }
  reading_ = contract::read(descriptors);
}

void Contracts::read_sources(const std::vector<fs::path>& paths, const std::vector<fs::path>& import_roots) {
  const auto files = proto_files(paths);
  for (const auto& root : import_roots) sources_->roots.push_back(fs::absolute(root).lexically_normal());
  if (sources_->roots.empty()) {
    std::set<std::string> imports;
    for (const auto& file : files) add_own_imports(read_text(file), imports);
    sources_->roots.push_back(guess_root(imports, paths.front()));
  }
  for (const auto& root : sources_->roots) sources_->tree.MapPath("", root.string());
  // What we and protobuf bring along, and nothing else that happens to lie there.
  sources_->tree.MapPath("quadrille/v1", (data::folder("contracts") / "quadrille" / "v1").string());
  sources_->tree.MapPath("google/protobuf", "/usr/include/google/protobuf");
  std::vector<const google::protobuf::FileDescriptor*> descriptors;
  for (const auto& file : files) {
    std::string virtual_name;
    std::string shadowing;
    if (sources_->tree.DiskFileToVirtualFile(file.string(), &virtual_name, &shadowing) !=
        google::protobuf::compiler::DiskSourceTree::SUCCESS)
      throw std::runtime_error(file.string() + " is below none of the import roots; add one with -I");
    if (const auto* descriptor = sources_->importer.Import(virtual_name)) descriptors.push_back(descriptor);
  }
  if (sources_->complaints.faults.empty())
    reading_ = contract::read(descriptors);
  else
    reading_.faults = sources_->complaints.faults;
  name_files();
}

Contracts::~Contracts() = default;
Contracts::Contracts(Contracts&&) noexcept = default;
Contracts& Contracts::operator=(Contracts&&) noexcept = default;

const google::protobuf::DescriptorPool& Contracts::pool() const {
  return sources_->is_set ? sources_->of_set : *sources_->importer.pool();
}

void Contracts::name_files() {
  const auto rename = [&](contract::Location& location) {
    std::string disk;
    if (sources_->tree.VirtualFileToDiskFile(location.file, &disk)) location.file = display_name(disk);
  };
  for (auto& fault : reading_.faults) rename(fault.location);
  for (auto& [name, event] : reading_.model.events) rename(event.location);
  for (auto& saga : reading_.model.sagas) rename(saga.location);
  for (auto& stream : reading_.model.streams) rename(stream.location);
  for (auto& participant : reading_.model.participants) {
    rename(participant.location);
    for (auto& step : participant.steps) rename(step.location);
    if (participant.orchestration)
      for (auto& step : participant.orchestration->steps) rename(step.location);
  }
}

}  // namespace quadrille::checker
