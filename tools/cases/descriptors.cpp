#include "cases/descriptors.hpp"

#include "cases/collect.hpp"
#include "quadrille/v1/supervision_events.pb.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace quadrille::cases {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;
using google::protobuf::FileDescriptorSet;

void add_with_imports(const FileDescriptor& file, std::set<std::string>& added, FileDescriptorSet& set) {
  if (!added.insert(file.name()).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) add_with_imports(*file.dependency(i), added, set);
  file.CopyTo(set.add_file());
}

}  // namespace

bool ends_saga(const contract::EventType& type) {
  return std::ranges::any_of(type.roles, [](const v1::SagaRole& role) {
    return role.role() == v1::SagaRole::END_DONE || role.role() == v1::SagaRole::END_UNDONE ||
           role.role() == v1::SagaRole::END_STUCK;
  });
}

void describe(casefile::v1::Case& one, const checker::Contracts& contracts) {
  auto& header = *one.mutable_header();
  const auto& model = contracts.reading().model;
  std::set<std::string> added;
  std::map<std::string, std::set<std::string>> fingerprints;
  const auto names = participants(one);
  for (const auto& participant : model.participants)
    if (const auto* service = contracts.pool().FindServiceByName(participant.service);
        service != nullptr && names.contains(participant.name))
      add_with_imports(*service->file(), added, *header.mutable_descriptors());
  for (const auto& event : one.event()) {
    if (!event.contract().empty()) fingerprints[event.source()].insert(event.contract());
    if (const auto* type = contracts.pool().FindMessageTypeByName(event.type()))
      add_with_imports(*type->file(), added, *header.mutable_descriptors());
    else if (event.type().starts_with("quadrille.v1."))  // what the framework says of a saga
      add_with_imports(*v1::StepStuck::descriptor()->file(), added, *header.mutable_descriptors());
    const auto* declared = model.find_event(event.type());
    if (declared != nullptr && event.saga_id() == header.saga_id() && ends_saga(*declared)) header.set_ended(true);
  }
  for (const auto& [name, known] : fingerprints) {
    auto& contract = *header.add_contract();
    contract.set_participant(name);
    for (const auto& fingerprint : known) contract.add_fingerprint(fingerprint);
  }
}

FileDescriptorSet descriptors_of(const checker::Contracts& contracts) {
  FileDescriptorSet set;
  std::set<std::string> added;
  for (const auto& participant : contracts.reading().model.participants)
    if (const auto* service = contracts.pool().FindServiceByName(participant.service); service != nullptr)
      add_with_imports(*service->file(), added, set);
  add_with_imports(*v1::StepStuck::descriptor()->file(), added, set);
  return set;
}

std::unique_ptr<DescriptorPool> pool_of(const casefile::v1::Case& one) {
  auto pool = std::make_unique<DescriptorPool>();
  for (const auto& file : one.header().descriptors().file())
    if (pool->BuildFile(file) == nullptr)
      throw std::runtime_error("the case of saga " + one.header().saga_id() + " holds a descriptor of " + file.name() +
                               " that does not fit the others; export it again with the contracts of one tree");
  return pool;
}

}  // namespace quadrille::cases
