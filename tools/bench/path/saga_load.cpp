#include "path/saga_load.hpp"

#include "contract/topology.hpp"
#include "core/envelope.hpp"
#include "core/subject.hpp"
#include "core/trace_context.hpp"
#include "core/uuid.hpp"
#include "embedded/probe.hpp"
#include "postgres/replication/tailing_source.hpp"
#include "runtime/polling_source.hpp"
#include "runtime/unit_of_work.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <stdexcept>

namespace quadrille::bench {
namespace {

/// What an event of a business carries.
const std::string content(60, 'x');

jetstream::JetStreamSettings broker_settings(Stand& stand) {
  jetstream::JetStreamSettings settings;
  settings.url = stand.system().nats_url("opener");
  settings.client_name = "opener";
  return settings;
}

}  // namespace

void Failing::stop_because(const std::string& reason) {
  std::cerr << "a measured part had to stop: " << reason << std::endl;
  std::abort();
}

SagaLoad::SagaLoad(Stand& stand)
    : stand_(stand),
      part_(participant_),
      log_("opener", telemetry::Level::warn, telemetry::Format::text),
      database_{.url = stand.system().service_url("opener"), .application_name = "opener"},
      store_(postgres::connect(database_)),
      broker_(jetstream::connect(broker_settings(stand))) {
  broker_->ensure(contract::topology_of(part_.declared()));
}

SagaLoad::~SagaLoad() { stop_relay(); }

std::vector<std::string> SagaLoad::record(std::size_t sagas) {
  constexpr std::size_t in_one_statement = 1'000;  // which may take only so long
  std::vector<std::string> keys;
  const auto transaction = store_->begin();
  while (keys.size() < sagas) {
    auto more = record(*transaction, std::min(in_one_statement, sagas - keys.size()));
    std::ranges::move(more, std::back_inserter(keys));
  }
  transaction->commit();
  return keys;
}

std::vector<std::string> SagaLoad::record(Transaction& transaction, std::size_t sagas) {
  std::vector<std::string> keys;
  runtime::UnitOfWork unit(part_, transaction, {}, clock_.now());
  std::set<std::string> unique;
  for (std::size_t i = 0; i < sagas; ++i) unique.insert(keys.emplace_back(new_uuid()));
  unit.load(unique);
  for (const auto& key : keys) {
    ::bench::opener::v1::Begin command;
    command.set_saga(key);
    command.set_content(content);
    unit.run(part_.step("Begin"), command, {key, "", "", 0, next_traceparent("")});
  }
  unit.flush();
  return keys;
}

std::string SagaLoad::begin() {
  const auto key = record(1).front();
  relay_->wake();
  return key;
}

void SagaLoad::start_relay() {
  if (stand_.log_tailing())
    source_ = postgres::tail(*store_, database_, {});
  else
    source_ = std::make_unique<runtime::PollingSource>(*store_);
  leases_.emplace(*store_, log_, "bench/" + new_uuid().substr(0, 8),
                  std::vector<std::string>{runtime::Relay::lease_name}, std::chrono::milliseconds(5000));
  relay_.emplace(*store_, *source_, *broker_, *leases_, log_, stopper_, runtime::Relay::Settings{});
}

void SagaLoad::stop_relay() {
  relay_.reset();
  leases_.reset();
  source_.reset();
}

std::size_t SagaLoad::pending() { return store_->begin()->outbox().backlog(10'000'000).entries; }

Message SagaLoad::message() const {
  ::bench::opener::v1::Begun begun;
  begun.set_saga(new_uuid());
  begun.set_content(content);
  begun.set_heard_at(monotonic());
  const auto& type = part_.event_type(begun.GetTypeName());
  Event event;
  event.id = new_uuid();
  event.type = type.name;
  event.source = part_.name();
  event.subject = event_subject(begun.saga(), type.context, type.aggregate, type.short_name);
  event.stream = part_.stream_of(begun.saga());
  event.version = 1;
  event.saga_id = new_time_uuid(clock_.now());
  event.contract = part_.fingerprint();
  event.traceparent = next_traceparent("");
  event.recorded_at = clock_.now();
  event.payload = begun.SerializeAsString();
  return to_message(event);
}

void SagaLoad::publish(std::size_t sagas) {
  constexpr std::size_t at_once = 2'000;
  while (sagas > 0) {
    std::vector<Message> messages;
    for (; sagas > 0 && messages.size() < at_once; --sagas) messages.push_back(message());
    for (const auto result : broker_->publish(messages))
      if (result != Published::stored) throw std::runtime_error("the broker did not take the beginning of a saga");
  }
}

}  // namespace quadrille::bench
