#include "tracker/engine.hpp"

#include "core/envelope.hpp"
#include "tracker/contract_watch.hpp"
#include "tracker/fold.hpp"
#include "tracker/schema.hpp"

namespace quadrille::tracker {
namespace {

constexpr std::chrono::milliseconds idle_wait{100};
constexpr std::chrono::seconds look_every{1};

}  // namespace

Engine::Engine(EngineSettings settings, const Clock& clock, const telemetry::Log& log)
    : settings_(std::move(settings)), clock_(clock), log_(log), pool_(settings_.database) {
  worker_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
}

Engine::~Engine() { worker_.request_stop(); }

Progress Engine::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

std::shared_ptr<Tables> Engine::served() const {
  const std::lock_guard lock(mutex_);
  if (!served_) throw Error(Disposition::retry, "the tracker has not reached its database yet");
  return served_;
}

std::optional<int> Engine::open() {
  const auto generation = prepare(pool_);
  const auto unfinished = unfinished_generation(pool_, generation);
  for (const auto other : generations(pool_))
    if (other != generation && other != unfinished) drop_generation(pool_, other);
  serve(std::make_shared<Tables>(settings_.database, generation));
  return unfinished;
}

std::unique_ptr<Fold> Engine::begin_rebuild(int generation, Choreographies& choreographies, const Fold& live) {
  auto shadow = std::make_unique<Fold>(settings_, std::make_shared<Tables>(settings_.database, generation),
                                       choreographies, nullptr);
  shadow->judge_whatever_comes();
  const auto sequence = shadow->position().sequence;
  log_.info("rebuilding as generation " + std::to_string(generation) +
            (sequence == 0 ? "" : ", from message " + std::to_string(sequence + 1) + " on"));
  advance([&](Progress& progress) { progress.rebuild = {sequence, live.position().sequence, clock_.now()}; });
  return shadow;
}

int Engine::new_generation(const Fold& live, std::uint64_t from) {
  return from == 1 ? add_generation(pool_) : copy_generation(pool_, live.tables()->generation(), from);
}

std::uint64_t Engine::await_move(std::uint64_t moves, std::chrono::milliseconds longest) const {
  std::unique_lock lock(mutex_);
  moved_.wait_for(lock, longest, [&] { return progress_.moves != moves; });
  return progress_.moves;
}

void Engine::serve(std::shared_ptr<Tables> tables) {
  const std::lock_guard lock(mutex_);
  served_ = std::move(tables);
  progress_.generation = served_->generation();
}

void Engine::advance(const std::function<void(Progress&)>& change) {
  const std::lock_guard lock(mutex_);
  const auto moves = progress_.moves;
  change(progress_);
  if (progress_.moves != moves) moved_.notify_all();
}

void Engine::run(const std::stop_token& stopping) {
  std::string complaint;
  while (!stopping.stop_requested()) {
    try {
      work(stopping);
    } catch (const std::exception& error) {
      if (complaint != error.what()) log_.warn(std::string("the tracker waits: ") + error.what());
      complaint = error.what();
      advance([](Progress& progress) { progress.broker = progress.database = false; });
      std::unique_lock lock(mutex_);
      std::condition_variable_any bell;
      bell.wait_for(lock, stopping, std::chrono::seconds(1), [] { return false; });
    }
  }
}

void Engine::work(const std::stop_token& stopping) {
  const auto unfinished = open();
  Choreographies choreographies;
  ContractWatch contracts(settings_.nats, pool_, choreographies);
  if (contracts.look()) advance([](Progress& progress) { ++progress.contracts; });
  auto live = std::make_unique<Fold>(settings_, served(), choreographies, &census_);
  std::unique_ptr<Fold> shadow;
  if (unfinished) shadow = begin_rebuild(*unfinished, choreographies, *live);
  std::vector<std::shared_ptr<Tables>> retired;  // until their last reader has let go
  auto next_look = std::chrono::steady_clock::now();
  advance([](Progress& progress) { progress.broker = progress.database = true; });
  while (!stopping.stop_requested()) {
    const bool moved = live->step(shadow ? std::chrono::milliseconds(1) : idle_wait, clock_.now());
    advance([&](Progress& progress) {
      progress.sequence = live->position().sequence;
      progress.lag = live->lag(clock_.now());
      if (moved) ++progress.moves;
    });
    if (shadow) {
      static_cast<void>(shadow->step(std::chrono::milliseconds(1), clock_.now()));
      advance([&](Progress& progress) { progress.rebuild->sequence = shadow->position().sequence; });
      if (shadow->has_caught_up_with(*live)) {
        serve_generation(pool_, shadow->tables()->generation());
        shadow->count_in(census_);
        retired.push_back(live->tables());
        serve(shadow->tables());
        live = std::move(shadow);
        log_.info("rebuilt; generation " + std::to_string(live->tables()->generation()) + " is served");
        advance([](Progress& progress) {
          progress.rebuild.reset();
          ++progress.moves;
        });
      }
    }
    if (std::chrono::steady_clock::now() < next_look) continue;
    next_look = std::chrono::steady_clock::now() + look_every;
    if (contracts.look()) {
      advance([](Progress& progress) { ++progress.contracts; });
      live->contracts_changed();
      if (shadow) shadow->contracts_changed();
    }
    std::erase_if(retired, [&](const std::shared_ptr<Tables>& tables) {
      if (tables.use_count() > 1) return false;
      drop_generation(pool_, tables->generation());
      return true;
    });
    const auto last = live->look(clock_.now());
    advance([&](Progress& progress) {
      progress.broker = last.has_value();
      if (last) progress.stream_last = *last;
    });
    if (const auto from = rebuild_from_.exchange(0); from != 0 && !shadow)
      shadow = begin_rebuild(new_generation(*live, from), choreographies, *live);
  }
}

}  // namespace quadrille::tracker
