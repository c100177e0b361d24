#include "memory/memory_broker.hpp"

#include "quadrille/error.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <utility>

namespace quadrille::memory {
namespace {

std::vector<std::string> tokens(const std::string& subject) {
  std::vector<std::string> result;
  std::istringstream input(subject);
  for (std::string token; std::getline(input, token, '.');) result.push_back(token);
  return result;
}

/// `*` is one token, `>` all that follow.
bool matches(const std::vector<std::string>& pattern, const std::vector<std::string>& parts) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == ">") return parts.size() > i;
    if (i >= parts.size() || (pattern[i] != "*" && pattern[i] != parts[i])) return false;
  }
  return pattern.size() == parts.size();
}

void same_or_refuse(const std::string& name, const std::string& field, const std::string& wanted,
                    const std::string& found) {
  if (wanted != found)
    throw Error(Disposition::stop, "consumer " + name + " is not as the contract and the settings want it:\n  " +
                                       field + ": wanted " + wanted + ", found " + found);
}

}  // namespace

class MemoryReceiver final : public Receiver {
 public:
  explicit MemoryReceiver(MemoryBroker& broker) : broker_(broker) {}

  void listen(std::vector<std::string> consumers) override { consumers_ = std::move(consumers); }

  [[nodiscard]] std::vector<Delivery> receive(std::size_t most, std::chrono::milliseconds longest) override {
    const auto end = std::chrono::steady_clock::now() + longest;  // a real wait, whatever the broker's clock says
    std::unique_lock lock(broker_.mutex_);
    std::vector<Delivery> deliveries;
    for (;;) {
      for (const auto& consumer : consumers_)
        for (Delivery delivery; deliveries.size() < most && broker_.next_delivery(consumer, delivery);)
          deliveries.push_back(std::move(delivery));
      const auto now = std::chrono::steady_clock::now();
      if (!deliveries.empty() || now >= end) return deliveries;
      // Wakes for what becomes due for redelivery, too.
      broker_.published_.wait_until(lock, std::min(end, now + std::chrono::milliseconds(5)));
    }
  }

  void ack(std::span<const Delivery> deliveries) override {
    broker_.reached(MemoryBroker::Moment::before_ack);
    {
      const std::scoped_lock lock(broker_.mutex_);
      forget(deliveries);
    }
    broker_.reached(MemoryBroker::Moment::after_ack);
  }

  void keep(std::span<const Delivery> deliveries) override {
    const std::scoped_lock lock(broker_.mutex_);
    for (const auto& delivery : deliveries) {
      auto& durable = broker_.durables_.at(delivery.consumer);
      if (const auto place = durable.unacked.find(delivery.sequence); place != durable.unacked.end())
        place->second = broker_.clock_.steady() + durable.spec.ack_wait;
    }
  }

  void give_back(std::span<const Delivery> deliveries) override {
    const std::scoped_lock lock(broker_.mutex_);
    for (const auto& delivery : deliveries) {
      auto& durable = broker_.durables_.at(delivery.consumer);
      if (const auto place = durable.unacked.find(delivery.sequence); place != durable.unacked.end())
        place->second = broker_.clock_.steady();
    }
    ++broker_.changes_;
    broker_.published_.notify_all();
  }

 private:
  void forget(std::span<const Delivery> deliveries) {
    ++broker_.changes_;
    for (const auto& delivery : deliveries) {
      if (broker_.acks_to_lose_ > 0)
        --broker_.acks_to_lose_;
      else
        broker_.durables_.at(delivery.consumer).unacked.erase(delivery.sequence);
    }
  }

  MemoryBroker& broker_;
  std::vector<std::string> consumers_;
};

void MemoryBroker::ensure(const Topology& topology) {
  const std::scoped_lock lock(mutex_);
  stream_ = topology.stream;
  for (const auto& spec : topology.consumers) {
    const auto there = durables_.find(spec.name);
    if (there == durables_.end()) {
      durables_[spec.name] = {spec, tokens(spec.filter), spec.from_beginning ? 1 : messages_.size() + 1, {}, {},
                              {},   ++durables_made_};
      continue;
    }
    const auto& found = there->second.spec;
    same_or_refuse(spec.name, "filter_subject", spec.filter, found.filter);
    same_or_refuse(spec.name, "ack_wait", std::to_string(spec.ack_wait.count()),
                   std::to_string(found.ack_wait.count()));
  }
}

std::vector<Published> MemoryBroker::publish(std::span<const Message> messages) {
  reached(Moment::before_publish);
  const auto answers = store(messages);
  reached(Moment::after_publish);
  return answers;
}

std::vector<Published> MemoryBroker::store(std::span<const Message> messages) {
  const std::scoped_lock lock(mutex_);
  ++changes_;
  std::vector<Published> answers;
  for (const auto& message : messages) {
    if (ids_.insert(message.headers.at("Nats-Msg-Id")).second) {
      messages_.push_back(message);
      subjects_.push_back(tokens(message.subject));
    }
    answers.push_back(answers_to_lose_ > 0 ? Published::unknown : Published::stored);
    answers_to_lose_ -= answers_to_lose_ > 0 ? 1 : 0;
  }
  published_.notify_all();
  return answers;
}

std::unique_ptr<Receiver> MemoryBroker::receiver() { return std::make_unique<MemoryReceiver>(*this); }

std::unique_ptr<Serving> MemoryBroker::serve(const std::string& subject, const std::string& group, Answerer answer) {
  return switchboard_.serve(subject, group, std::move(answer));
}

std::vector<std::string> MemoryBroker::ask(const std::string& subject, const std::string& question, std::size_t enough,
                                           std::chrono::milliseconds longest) {
  return switchboard_.ask(subject, question, enough, longest);
}

std::vector<ConsumerProgress> MemoryBroker::progress(std::span<const std::string> consumers) {
  const std::scoped_lock lock(mutex_);
  std::vector<ConsumerProgress> all;
  for (const auto& name : consumers) {
    const auto found = durables_.find(name);
    if (found == durables_.end()) continue;
    const auto& durable = found->second;
    ConsumerProgress progress{
        .name = name, .unacknowledged = durable.unacked.size(), .made = std::to_string(durable.made)};
    for (auto sequence = durable.next; sequence <= messages_.size(); ++sequence)
      progress.pending += matches(durable.filter, subjects_[sequence - 1]) ? 1 : 0;
    for (const auto& [sequence, count] : durable.deliveries) {
      progress.delivered = sequence;
      if (durable.unacked.contains(sequence)) progress.redelivered += count > 1 ? 1 : 0;
      if (durable.unacked.empty() || sequence < durable.unacked.begin()->first) progress.ack_floor = sequence;
    }
    all.push_back(std::move(progress));
  }
  return all;
}

bool MemoryBroker::next_delivery(const std::string& consumer, Delivery& delivery) {
  auto& durable = durables_.at(consumer);
  const auto now = clock_.steady();
  std::uint64_t sequence = 0;
  if (!durable.again.empty()) {
    sequence = durable.again.front();
    durable.again.erase(durable.again.begin());
  } else if (const auto due =
                 std::ranges::find_if(durable.unacked, [&](const auto& place) { return place.second <= now; });
             due != durable.unacked.end()) {
    sequence = due->first;
  } else if (durable.unacked.size() < static_cast<std::size_t>(durable.spec.max_ack_pending)) {
    while (durable.next <= messages_.size() && !matches(durable.filter, subjects_[durable.next - 1])) ++durable.next;
    if (durable.next <= messages_.size()) sequence = durable.next++;
  }
  if (sequence == 0) return false;
  ++changes_;
  const auto fate = fates_ ? fates_(consumer, messages_[sequence - 1]) : Fate{};
  durable.unacked[sequence] = now + fate.lost.value_or(durable.spec.ack_wait);
  if (fate.lost) {
    ++durable.deliveries[sequence];
    return next_delivery(consumer, delivery);
  }
  if (fate.twice) durable.again.push_back(sequence);
  const auto pending = std::count_if(subjects_.begin() + static_cast<std::ptrdiff_t>(durable.next - 1), subjects_.end(),
                                     [&](const auto& subject) { return matches(durable.filter, subject); });
  delivery = {messages_[sequence - 1],
              consumer,
              sequence,
              ++durable.deliveries[sequence],
              std::to_string(sequence),
              static_cast<std::uint64_t>(pending)};
  return true;
}

void MemoryBroker::delete_durable(const std::string& consumer) {
  const std::scoped_lock lock(mutex_);
  durables_.erase(consumer);
}

void MemoryBroker::decide_fates(Fates fates) {
  const std::scoped_lock lock(mutex_);
  fates_ = std::move(fates);
}

std::uint64_t MemoryBroker::changes() const {
  const std::scoped_lock lock(mutex_);
  return changes_;
}

std::optional<std::chrono::steady_clock::time_point> MemoryBroker::next_redelivery() const {
  const std::scoped_lock lock(mutex_);
  std::optional<Time> next;
  for (const auto& [name, durable] : durables_)
    for (const auto& [sequence, due] : durable.unacked) next = std::min(next.value_or(due), due);
  return next;
}

std::vector<Message> MemoryBroker::messages() const {
  const std::scoped_lock lock(mutex_);
  return messages_;
}

void MemoryBroker::lose_answers(std::size_t count) {
  const std::scoped_lock lock(mutex_);
  answers_to_lose_ = count;
}

void MemoryBroker::lose_acks(std::size_t count) {
  const std::scoped_lock lock(mutex_);
  acks_to_lose_ = count;
}

void MemoryBroker::redeliver_in_reverse() {
  const std::scoped_lock lock(mutex_);
  for (auto& [name, durable] : durables_) {
    durable.again.clear();
    for (auto place = durable.unacked.rbegin(); place != durable.unacked.rend(); ++place)
      durable.again.push_back(place->first);
  }
  published_.notify_all();
}

void MemoryBroker::repeat_all(const std::string& consumer) {
  const std::scoped_lock lock(mutex_);
  auto& durable = durables_.at(consumer);
  for (const auto& [sequence, count] : durable.deliveries) durable.again.push_back(sequence);
  published_.notify_all();
}

}  // namespace quadrille::memory
