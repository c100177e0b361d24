#include "deploy/registry.hpp"

#include "core/broker.hpp"
#include "core/timestamp.hpp"
#include "quadrille/v1/options.pb.h"

#include <algorithm>
#include <map>
#include <set>

namespace quadrille::deploy {
namespace {

using google::protobuf::FileDescriptorProto;
using google::protobuf::FileDescriptorSet;

/// The file is the participant's own: it has its steps, or its events.
bool owns(const v1::Registration& registration, const FileDescriptorProto& file) {
  return file.options().GetExtension(v1::participant).name() == registration.participant() ||
         file.options().GetExtension(v1::stream).context() == registration.participant();
}

void add_with_imports(const std::string& name, const std::map<std::string, const FileDescriptorProto*>& files,
                      std::set<std::string>& added, FileDescriptorSet& set) {
  const auto file = files.find(name);
  if (file == files.end() || !added.insert(name).second) return;
  for (const auto& import : file->second->dependency()) add_with_imports(import, files, added, set);
  *set.add_file() = *file->second;
}

}  // namespace

std::vector<v1::Registration> read_registry(const jetstream::JetStreamSettings& settings) {
  std::map<std::string, v1::Registration> by_key;
  const auto bucket = Topology{}.registry;
  jetstream::read_stream(settings, "KV_" + bucket, bucket_subject(bucket, ">"), [&](const Delivery& delivery) {
    v1::Registration registration;
    if (registration.ParseFromString(delivery.message.payload))
      by_key[registration.participant() + "." + registration.fingerprint()] = std::move(registration);
  });
  std::vector<v1::Registration> all;
  for (auto& [key, registration] : by_key) all.push_back(std::move(registration));
  std::ranges::stable_sort(all, [](const v1::Registration& one, const v1::Registration& other) {
    if (one.participant() != other.participant()) return one.participant() < other.participant();
    return to_time(one.renewed_at()) > to_time(other.renewed_at());
  });
  return all;
}

FileDescriptorSet newest_contracts(const std::vector<v1::Registration>& registrations) {
  std::map<std::string, const FileDescriptorProto*> files;
  std::set<std::string> seen;
  std::set<std::string> owned;
  for (const auto& registration : registrations) {
    if (!seen.insert(registration.participant()).second) continue;  // an older version
    for (const auto& file : registration.contract().file()) {
      const bool own = owns(registration, file);
      if (own || !owned.contains(file.name())) files[file.name()] = &file;
      if (own) owned.insert(file.name());
    }
  }
  FileDescriptorSet set;
  std::set<std::string> added;
  for (const auto& [name, file] : files) add_with_imports(name, files, added, set);
  return set;
}

}  // namespace quadrille::deploy
