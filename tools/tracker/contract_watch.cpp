#include "tracker/contract_watch.hpp"

#include "core/broker.hpp"
#include "postgres/array_text.hpp"
#include "postgres/session.hpp"

namespace quadrille::tracker {
namespace {

using postgres::Session;
using postgres::Statement;

constexpr Statement read_all{"read contracts", "SELECT registration FROM tracker.contract"};
constexpr Statement put{"put a contract",
                        "INSERT INTO tracker.contract (participant, fingerprint, registration) VALUES ($1, $2, "
                        "$3::bytea) ON CONFLICT (participant, fingerprint) DO UPDATE SET registration = "
                        "excluded.registration"};

}  // namespace

void load_contracts(postgres::Pool& pool, Choreographies& choreographies) {
  Session session(pool);
  const auto rows = session.run(read_all);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    v1::Registration registration;
    if (registration.ParseFromString(postgres::from_bytea(rows.text(i, 0))))
      static_cast<void>(choreographies.learn(registration));
  }
}

ContractWatch::ContractWatch(const jetstream::JetStreamSettings& settings, postgres::Pool& pool,
                             Choreographies& choreographies)
    : settings_(settings), pool_(pool), choreographies_(choreographies) {
  load_contracts(pool_, choreographies_);
}

bool ContractWatch::look() {
  if (!follower_) {
    const auto bucket = Topology{}.registry;
    auto follower = std::make_unique<jetstream::StreamFollower>(settings_, "KV_" + bucket, bucket_subject(bucket, ">"));
    try {
      follower->start_at(1);
    } catch (const Error&) {
      return false;  // no participant has started yet
    }
    follower_ = std::move(follower);
  }
  bool changed = false;
  for (const auto& delivery : follower_->receive(100, std::chrono::milliseconds(1))) {
    v1::Registration registration;
    if (!registration.ParseFromString(delivery.message.payload) || registration.participant().empty()) continue;
    if (!choreographies_.learn(registration)) continue;
    keep(registration);
    changed = true;
  }
  return changed;
}

void ContractWatch::keep(const v1::Registration& registration) {
  Session session(pool_);
  session.run(put, {registration.participant(), registration.fingerprint(),
                    postgres::to_bytea(registration.SerializeAsString())});
  session.commit();
}

}  // namespace quadrille::tracker
