#include "memory/switchboard.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <set>
#include <thread>
#include <utility>

namespace quadrille::memory {
namespace {

/// The answers to one question. Outlives its asker where one comes late.
struct Collection {
  std::mutex mutex;
  std::condition_variable arrived;
  std::vector<std::string> answers;
};

struct Inquiry {
  std::string question;
  std::shared_ptr<Collection> into;
};

}  // namespace

/// One that serves a subject, with its thread.
class Switchboard::Desk final : public Serving {
 public:
  Desk(Switchboard& board, std::string group, Answerer answer)
      : board_(board), group_(std::move(group)), answer_(std::move(answer)) {
    thread_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
  }
  ~Desk() override {
    board_.leave(*this);
    thread_.request_stop();
    thread_.join();
  }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  [[nodiscard]] const std::string& group() const { return group_; }
  void put(Inquiry inquiry) {
    const std::scoped_lock lock(mutex_);
    queue_.push_back(std::move(inquiry));
    bell_.notify_one();
  }

 private:
  void run(const std::stop_token& stopping) {
    for (std::unique_lock lock(mutex_); bell_.wait(lock, stopping, [this] { return !queue_.empty(); });) {
      const auto inquiry = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      auto answer = answer_(inquiry.question);
      {
        const std::scoped_lock collecting(inquiry.into->mutex);
        inquiry.into->answers.push_back(std::move(answer));
        inquiry.into->arrived.notify_one();
      }
      lock.lock();
    }
  }

  Switchboard& board_;
  const std::string group_;
  const Answerer answer_;
  std::mutex mutex_;
  std::condition_variable_any bell_;
  std::deque<Inquiry> queue_;
  std::jthread thread_;
};

std::unique_ptr<Serving> Switchboard::serve(const std::string& subject, const std::string& group, Answerer answer) {
  auto desk = std::make_unique<Desk>(*this, group, std::move(answer));
  const std::scoped_lock lock(mutex_);
  desks_.emplace(subject, desk.get());
  return desk;
}

void Switchboard::leave(Desk& desk) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(desks_, [&](const auto& entry) { return entry.second == &desk; });
}

std::vector<std::string> Switchboard::ask(const std::string& subject, const std::string& question, std::size_t enough,
                                          std::chrono::milliseconds longest) {
  const auto collection = std::make_shared<Collection>();
  {
    const std::scoped_lock lock(mutex_);
    const auto [begin, end] = desks_.equal_range(subject);
    if (begin == end) return {};
    std::set<std::string> asked;
    for (auto desk = begin; desk != end; ++desk)
      if (const auto& group = desk->second->group(); group.empty() || asked.insert(group).second)
        desk->second->put({question, collection});
  }
  std::unique_lock lock(collection->mutex);
  collection->arrived.wait_for(lock, longest, [&] { return collection->answers.size() >= enough; });
  auto answers = collection->answers;
  if (answers.size() > enough) answers.resize(enough);  // two came before this one woke
  return answers;
}

}  // namespace quadrille::memory
