#include "simulation/simulation.hpp"

#include "simulation/verdict.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <utility>

namespace simulation {
namespace {

using namespace quadrille;
using namespace quadrille::testing;
using std::chrono::milliseconds;
using namespace std::chrono_literals;
using Fate = memory::MemoryBroker::Fate;

constexpr std::int64_t opening_money = 700;
constexpr std::int64_t opening_stock = 3;
constexpr milliseconds lease_time{10'000};

/// What the fence has counted: deliveries that the inbox should have known.
std::string stale(const Role& role) {
  const auto text = role.instruments.metrics.text();
  const auto begin = text.find("\ninbox_stale_total{") + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// Waits for its moment in the middle of somebody's step.
struct Ambush {
  Decision what;
  std::size_t before = 0;  ///< so many come and go first
};

struct PlannedFate {
  Fate fate;
  std::size_t before = 0;
};

class Stage final : public World {
 public:
  Stage(Cast& cast, Flaw flaw) : World({.lease_time = lease_time}), cast_(cast) {
    for (std::size_t i = 0; i < participants; ++i) {
      stale_before_[i] = stale(cast.roles[i]);
      ledgers_.push_back(std::make_unique<Ledger>(cast.roles[i].part.name(), history_));
      auto& ledger = *ledgers_.back();
      cast.roles[i].witness.on_run([&ledger](const StepRun& run) { ledger.work.runs.push_back(run); });
      flaw_ = flaw;
      add(cast.roles[i], instances_of_each);
      actors()[i]->store.on_moment([this, &ledger](memory::MemoryStore::Moment moment) {
        if (moment == memory::MemoryStore::Moment::after_commit) ledger.committed();
        reached(static_cast<Moment>(moment));
      });
    }
    broker().on_moment([this](memory::MemoryBroker::Moment moment) {
      reached(static_cast<Moment>(static_cast<std::size_t>(moment) + 3));
    });
    broker().decide_fates([this](const std::string&, const Message&) { return next_fate(); });
    stock("payment", "account/customer-0", opening_money);
    stock("payment", "account/customer-1", opening_money);
    stock("inventory", "item/clock", opening_stock);
  }
  ~Stage() override {
    for (const auto& instance : instances()) stop(*instance, false);
    for (const auto& actor : actors()) actor->role.witness.on_run({});
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  void perform(const Decision& decision);
  void come_to_rest();
  [[nodiscard]] Outcome outcome();
  [[nodiscard]] History& history() { return history_; }

 private:
  Store& store_of(const Instance& instance) override {
    if (instance.actor == stores_.size()) {
      auto& inner = actors()[instance.actor]->store;
      stores_.push_back(std::make_unique<WatchedStore>(inner, *ledgers_[instance.actor], history_, flaw_,
                                                       [this] { return acting() ? owner() : std::string(); }));
      brokers_.push_back(std::make_unique<WatchedBroker>(broker(), *stores_.back(), flaw_));
    }
    return *stores_[instance.actor];
  }
  Broker& broker_of(const Instance& instance) override {
    static_cast<void>(store_of(instance));
    return *brokers_[instance.actor];
  }
  [[nodiscard]] std::string owner() const { return acting()->loops->leases().owner(); }

  void stock(const std::string& participant, const std::string& resource, std::int64_t amount);
  void place(const Decision& decision);
  void reached(Moment moment);
  /// When something is due but for leases to be renewed.
  [[nodiscard]] std::optional<TimePoint> next_work();
  void let_pass(milliseconds length);
  Fate next_fate();

  Cast& cast_;
  std::array<std::string, participants> stale_before_;
  Flaw flaw_ = Flaw::none;
  History history_;
  std::vector<std::unique_ptr<Ledger>> ledgers_;
  std::vector<std::unique_ptr<WatchedStore>> stores_;
  std::vector<std::unique_ptr<WatchedBroker>> brokers_;
  std::vector<Ambush> ambushes_;
  std::vector<PlannedFate> fates_;
  std::size_t faults_ = 0;
};

void Stage::stock(const std::string& participant, const std::string& resource, std::int64_t amount) {
  const auto index = actor(participant).instances.front() / instances_of_each;
  ledgers_[index]->books.open(resource, amount);
  const auto transaction = stores_[index]->begin();
  static_cast<void>(transaction->quantities().add(resource, amount));
  transaction->commit();
}

void Stage::place(const Decision& decision) {
  shop::order::v1::PlaceOrder order;
  order.set_order_id("order-" + std::to_string(decision.who));
  order.set_customer_id("customer-" + std::to_string(decision.what % 2));
  order.set_item("clock");
  order.set_quantity(1 + static_cast<std::uint32_t>(decision.what % 2));
  order.set_amount_cents(static_cast<std::uint64_t>(decision.number));
  auto& orders = actor("order");
  if (std::ranges::none_of(orders.instances, [this](auto i) { return instances()[i]->loops != nullptr; })) return;
  orders.store.fail_next_commit(memory::MemoryStore::Fault::none);  // the edge tells its client, who would ask again
  static_cast<void>(command(order));
}

void Stage::reached(Moment moment) {
  if (acting() == nullptr) return;
  const auto ambush = std::ranges::find_if(ambushes_, [&](Ambush& waiting) {
    return waiting.what.what == static_cast<std::size_t>(moment) && waiting.before-- == 0;
  });
  if (ambush == ambushes_.end()) return;
  const auto what = ambush->what;
  ambushes_.erase(ambush);
  if (what.act == Act::crash_at) {
    ++faults_;
    throw Crash{};
  }
  if (moment == Moment::before_commit) return;  // the store in memory lets nobody else in meanwhile
  ++faults_;
  advance(milliseconds(what.number));
}

Fate Stage::next_fate() {
  const auto planned = std::ranges::find_if(fates_, [](PlannedFate& fate) { return fate.before-- == 0; });
  if (planned == fates_.end()) return {};
  const auto fate = planned->fate;
  fates_.erase(planned);
  ++faults_;
  return fate;
}

void Stage::perform(const Decision& decision) {
  const auto& [act, who, what, number] = decision;
  const auto of_instance = [&, place = who]() -> Instance& { return *instances().at(place); };
  switch (act) {
    case Act::place:
      return place(decision);
    case Act::step:
      if (of_instance().loops && !of_instance().frozen) step(of_instance(), all_loops.at(what));
      return;
    case Act::advance:
      return let_pass(milliseconds(number));
    case Act::crash:
      faults_ += of_instance().loops ? 1 : 0;
      return stop(of_instance(), false);
    case Act::start:
      if (!of_instance().loops) start(of_instance());
      return;
    case Act::freeze:
      ++faults_;
      of_instance().frozen = true;
      return;
    case Act::wake:
      of_instance().frozen = false;
      return;
    case Act::crash_at:
    case Act::sleep_at:
      ambushes_.push_back({decision, who});
      return;
    case Act::lose:
      fates_.push_back({{.lost = milliseconds(number)}, who});
      return;
    case Act::twice:
      fates_.push_back({{.twice = true}, who});
      return;
    case Act::lose_answers:
      ++faults_;
      return broker().lose_answers(static_cast<std::size_t>(number));
    case Act::lose_acks:
      ++faults_;
      return broker().lose_acks(static_cast<std::size_t>(number));
    case Act::fail_commit:
      ++faults_;
      return actors().at(who)->store.fail_next_commit(what == 0 ? memory::MemoryStore::Fault::before_commit
                                                                : memory::MemoryStore::Fault::after_commit);
    case Act::fail_step:
      ++faults_;
      return actor(failing_steps[what].participant)
          .role.witness.fail(failing_steps[what].step, static_cast<std::uint32_t>(number),
                             "fails as the schedule wants it");
  }
}

void Stage::come_to_rest() {
  ambushes_.clear();
  fates_.clear();
  broker().lose_answers(0);
  broker().lose_acks(0);
  for (const auto& failing : failing_steps) actor(failing.participant).role.witness.fail(failing.step, 0, {});
  for (const auto& actor : actors()) actor->store.fail_next_commit(memory::MemoryStore::Fault::none);
  for (const auto& instance : instances()) {
    if (!instance->loops) start(*instance);
    instance->frozen = false;
  }
  advance(lease_time * 4);  // what the dead held is free, and what they had in hand has come again
  constexpr int patience = 1000;
  constexpr int long_enough = 10;  // for what is due and blocked, by a parked message before it say
  for (int i = 0, unchanged = 0; i < patience; ++i) {
    const auto next = next_work();
    if (!next || unchanged == long_enough) return;
    const auto before = broker().changes() + recorded().size();
    clock().set(*next);
    settle();
    unchanged = broker().changes() + recorded().size() == before ? unchanged + 1 : 0;
  }
  history_.find("does not come to rest");
}

std::optional<TimePoint> Stage::next_work() {
  std::optional<TimePoint> next;
  if (const auto due = broker().next_redelivery()) next = VirtualClock::time_of(*due);
  for (const auto& actor : actors())
    if (const auto due = actor->store.next_due()) next = std::min(next.value_or(*due), *due);
  // What is due already and stays so waits for whoever has the leases.
  if (next && *next <= clock().now()) next = clock().now() + lease_time / 2;
  return next;
}

void Stage::let_pass(milliseconds length) {
  const auto end = clock().now() + length;
  if (length <= lease_time * 2) return advance(length);
  for (auto next = next_work(); next && *next < end; next = next_work()) {
    clock().set(*next);
    settle();
  }
  clock().set(end);
  settle();
}

Outcome Stage::outcome() {
  std::vector<Judged> judged;
  for (std::size_t i = 0; i < participants; ++i)
    judged.push_back({actors()[i]->role.part, actors()[i]->store, *ledgers_[i]});
  Outcome outcome{.findings = {}, .sagas = judge_end(judged, broker(), history_), .faults = faults_};
  for (std::size_t i = 0; i < participants; ++i)
    if (stale(cast_.roles[i]) != stale_before_[i])
      history_.find(cast_.roles[i].part.name() + " took a message for new that is older than what it has applied");
  outcome.findings = history_.findings;
  return outcome;
}

}  // namespace

Outcome simulate(Cast& cast, std::uint64_t seed, const Schedule& schedule, Flaw flaw) {
  const SeededRandom random(seed);
  Stage stage(cast, flaw);
  try {
    for (const auto& decision : schedule) {
      stage.perform(decision);
      if (!stage.history().findings.empty()) break;
    }
    stage.come_to_rest();
  } catch (const std::exception& error) {
    stage.history().find(error.what());
  }
  return stage.outcome();
}

}  // namespace simulation
