#include "jetstream/receiver.hpp"

#include "jetstream/ack_subject.hpp"
#include "jetstream/translate.hpp"
#include "jetstream/wire.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace quadrille::jetstream {
namespace {

constexpr int messages_per_request = 64;      // small enough that what is buffered is handled within the ack wait
constexpr std::size_t enough_queued = 2'000;  // no more is asked for while this many are in our hands
constexpr std::chrono::seconds heartbeat{5};
constexpr std::chrono::seconds request_expires{30};
constexpr std::chrono::seconds after_failure{1};

std::string request_body() {
  const auto nanoseconds = [](std::chrono::nanoseconds span) { return std::to_string(span.count()); };
  return "{\"batch\":" + std::to_string(messages_per_request) + ",\"expires\":" + nanoseconds(request_expires) +
         ",\"idle_heartbeat\":" + nanoseconds(heartbeat) + "}";
}

}  // namespace

PullReceiver::PullReceiver(Connection& connection, Connection& acknowledging, std::string stream,
                           std::function<void(const std::string&)> warn)
    : connection_(connection),
      acknowledging_(acknowledging),
      stream_(std::move(stream)),
      warn_(std::move(warn)),
      inbox_(connection.new_inbox()),
      generation_(connection.generation()) {
  natsSubscription* raw = nullptr;
  check(natsConnection_Subscribe(&raw, connection.get(), (inbox_ + ".*").c_str(), on_message, this),
        "subscribe to the inbox");
  subscription_.reset(raw);
  check(natsSubscription_SetOnCompleteCB(raw, on_complete, this), "set a handler");
  check(natsSubscription_SetPendingLimits(raw, -1, -1), "lift the pending limits");  // what we ask for bounds it
}

PullReceiver::~PullReceiver() {
  natsSubscription_Unsubscribe(subscription_.get());
  // Callbacks of what has arrived may still run; they use this object.
  std::unique_lock lock(mutex_);
  arrived_.wait_for(lock, std::chrono::seconds(10), [this] { return complete_; });
  for (const auto& delivery : queue_) give_back(std::span(&delivery, 1));  // nobody has to wait for their time
}

void PullReceiver::listen(std::vector<std::string> consumers) {
  const std::scoped_lock lock(mutex_);
  const std::set<std::string> wanted(consumers.begin(), consumers.end());
  std::erase_if(pulls_, [&](const auto& pull) { return !wanted.contains(pull.first); });
  std::erase_if(consumer_of_request_, [&](const auto& request) { return !wanted.contains(request.second); });
  const auto dropped = std::ranges::stable_partition(
      queue_, [&](const Delivery& delivery) { return wanted.contains(delivery.consumer); });
  for (const auto& delivery : dropped) give_back(std::span(&delivery, 1));
  queue_.erase(dropped.begin(), dropped.end());
  for (const auto& consumer : wanted) pulls_.try_emplace(consumer);
}

std::vector<Delivery> PullReceiver::receive(std::size_t most, std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  pull_where_needed();
  arrived_.wait_for(lock, longest, [this] { return !queue_.empty(); });
  std::vector<Delivery> deliveries;
  while (!queue_.empty() && deliveries.size() < most) {
    deliveries.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return deliveries;
}

void PullReceiver::ack(std::span<const Delivery> deliveries) { answer(deliveries, "+ACK"); }

void PullReceiver::keep(std::span<const Delivery> deliveries) { answer(deliveries, "+WPI"); }

void PullReceiver::give_back(std::span<const Delivery> deliveries) { answer(deliveries, "-NAK"); }

void PullReceiver::answer(std::span<const Delivery> deliveries, const char* what) {
  // A broker that is away delivers them again; the inbox knows them then.
  for (const auto& delivery : deliveries)
    static_cast<void>(natsConnection_PublishString(acknowledging_.get(), delivery.token.c_str(), what));
}

void PullReceiver::pull_where_needed() {
  if (!connection_.connected()) return;
  const auto now = std::chrono::steady_clock::now();
  if (const auto generation = connection_.generation(); generation != generation_) {
    generation_ = generation;
    for (auto& [consumer, pull] : pulls_) pull.outstanding = 0;  // the server forgot our requests with the connection
  }
  for (auto& [consumer, pull] : pulls_) {
    const bool silent = pull.outstanding > 0 && now - pull.heard > 2 * heartbeat;
    if (silent)
      warn_("no sign of consumer " + consumer + " for " + std::to_string(2 * heartbeat.count()) +
            " s, asking again; was it deleted?");
    if ((silent || pull.outstanding == 0) && now >= pull.not_before && queue_.size() < enough_queued)
      request(consumer, pull, now);
  }
}

void PullReceiver::request(const std::string& consumer, Pull& pull, Time now) {
  consumer_of_request_.erase(pull.request);
  pull.request = ++requests_;
  consumer_of_request_[pull.request] = consumer;
  pull.outstanding = messages_per_request;
  pull.heard = now;
  const std::string reply = inbox_ + "." + std::to_string(pull.request);
  const std::string subject = "$JS.API.CONSUMER.MSG.NEXT." + stream_ + "." + consumer;
  static const std::string body = request_body();
  if (natsConnection_PublishRequestString(connection_.get(), subject.c_str(), reply.c_str(), body.c_str()) != NATS_OK) {
    pull.outstanding = 0;
    pull.not_before = now + after_failure;
  }
}

void PullReceiver::on_message(natsConnection*, natsSubscription*, natsMsg* message, void* self) {
  const Msg owned(message);
  static_cast<PullReceiver*>(self)->take(message);
}

void PullReceiver::on_complete(void* self) {
  auto& us = *static_cast<PullReceiver*>(self);
  const std::scoped_lock lock(us.mutex_);
  us.complete_ = true;
  us.arrived_.notify_all();
}

void PullReceiver::take(natsMsg* message) {
  const char* reply = natsMsg_GetReply(message);
  const auto parsed = parse_ack_subject(reply == nullptr ? "" : reply);
  auto content = from_nats(message);
  const std::scoped_lock lock(mutex_);
  if (!parsed) {
    const auto& headers = content.headers;
    const auto status = headers.find("Status");
    const auto description = headers.find("Description");
    return take_status(content.subject, status == headers.end() ? "" : status->second,
                       description == headers.end() ? "" : description->second);
  }
  const auto pull = pulls_.find(parsed->consumer);
  if (pull == pulls_.end()) {  // asked for when it was ours: to its owner, without waiting for the time to run out
    static_cast<void>(natsConnection_PublishString(acknowledging_.get(), reply, "-NAK"));
    return;
  }
  pull->second.outstanding = std::max(0, pull->second.outstanding - 1);
  pull->second.heard = std::chrono::steady_clock::now();
  queue_.push_back(
      {std::move(content), parsed->consumer, parsed->sequence, parsed->deliveries, reply, parsed->pending});
  arrived_.notify_one();
}

void PullReceiver::take_status(const std::string& subject, const std::string& status, const std::string& description) {
  const auto dot = subject.rfind('.');
  const auto request = consumer_of_request_.find(std::strtoull(subject.c_str() + dot + 1, nullptr, 10));
  if (request == consumer_of_request_.end()) return;  // about a request that was replaced
  auto& pull = pulls_.at(request->second);
  const auto now = std::chrono::steady_clock::now();
  pull.heard = now;
  if (status == "100") return;  // idle heartbeat
  pull.outstanding = 0;         // 404, 408, 409, 503: this request has ended
  const bool served = status == "408" || status == "404";
  if (served) {
    arrived_.notify_one();  // ask again soon
    return;
  }
  pull.not_before = now + after_failure;
  const bool ordinary = description.find("Leadership Change") != std::string::npos ||
                        description.find("Server Shutdown") != std::string::npos;
  if (!ordinary)
    warn_("consumer " + request->second + " of stream " + stream_ + " answers " + status + " " + description +
          "; if it was deleted, restart this participant to have it created again");
}

}  // namespace quadrille::jetstream
