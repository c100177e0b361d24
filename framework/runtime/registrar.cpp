#include "runtime/registrar.hpp"

#include "core/uuid.hpp"
#include "quadrille/error.hpp"
#include "quadrille/v1/registration.pb.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/util/time_util.h>

#include <array>
#include <set>

namespace quadrille::runtime {
namespace {

/// A file after everything it imports.
void add_file(const google::protobuf::FileDescriptor& file, google::protobuf::FileDescriptorSet& set,
              std::set<std::string>& added) {
  if (!added.insert(file.name()).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) add_file(*file.dependency(i), set, added);
  file.CopyTo(set.add_file());
}

}  // namespace

Registrar::Registrar(const Part& part, Broker& broker, const telemetry::Log& log, const std::string& instance)
    : part_(part), broker_(broker), log_(log), instance_(instance) {
  worker_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
}

Registrar::~Registrar() { worker_.request_stop(); }

Message Registrar::registration() const {
  v1::Registration registration;
  registration.set_participant(part_.name());
  registration.set_fingerprint(part_.fingerprint());
  registration.set_instance(instance_);
  registration.set_framework(QUADRILLE_VERSION);
  *registration.mutable_renewed_at() = google::protobuf::util::TimeUtil::GetCurrentTime();
  std::set<std::string> added;
  add_file(*part_.participant().contract().file(), *registration.mutable_contract(), added);
  return {bucket_subject(Topology{}.registry, part_.name() + "." + part_.fingerprint()),
          {{"Nats-Msg-Id", new_uuid()}},
          registration.SerializeAsString()};
}

void Registrar::run(const std::stop_token& stopping) {
  const auto renewal = Topology{}.registry_age / 3;
  constexpr std::chrono::seconds retry{10};
  while (!stopping.stop_requested()) {
    bool said = false;
    try {
      const std::array<Message, 1> messages{registration()};
      said = broker_.publish(messages).front() == Published::stored;
      if (!said) log_.warn("the broker has not taken which contract this instance runs; trying again");
    } catch (const Error& error) {
      log_.warn(std::string("cannot tell the broker which contract this instance runs: ") + error.what());
    }
    std::unique_lock lock(mutex_);
    bell_.wait_for(lock, stopping, said ? renewal : std::chrono::seconds(retry), [] { return false; });
  }
}

}  // namespace quadrille::runtime
