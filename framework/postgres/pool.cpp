#include "postgres/pool.hpp"

#include "quadrille/error.hpp"

#include <string>
#include <utility>

namespace quadrille::postgres {

ConnectionPtr Pool::take() {
  {
    std::unique_lock lock(mutex_);
    constexpr std::chrono::seconds patience{10};
    if (!freed_.wait_for(lock, patience, [this] { return !idle_.empty() || open_ < settings_.connections; }))
      throw Error(Disposition::retry,
                  "all " + std::to_string(settings_.connections) +
                      " database connections are in use (setting database_connections)",
                  ReasonClass::overload);
    if (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
    ++open_;
  }
  try {
    auto connection = std::make_unique<Connection>(settings_);
    had_again();
    return connection;
  } catch (const Error&) {
    lost();
    throw;
  }
}

void Pool::give_back(ConnectionPtr connection) {
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(connection));
  freed_.notify_one();
}

void Pool::had_again() {
  {
    const std::scoped_lock lock(mutex_);
    if (!std::exchange(lost_one_, false)) return;
  }
  settings_.reconnected();
}

void Pool::lost() {
  const std::scoped_lock lock(mutex_);
  lost_one_ = true;
  open_ -= 1 + static_cast<int>(idle_.size());
  idle_.clear();  // the server went away or restarted: the idle ones are as dead as this one
  freed_.notify_one();
}

}  // namespace quadrille::postgres
