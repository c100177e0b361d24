#include "jetstream/publisher.hpp"

#include "jetstream/translate.hpp"
#include "jetstream/wire.hpp"

#include <utility>

namespace quadrille::jetstream {
namespace {

std::string id_of(natsMsg* message) {
  const char* id = nullptr;
  return natsMsgHeader_Get(message, "Nats-Msg-Id", &id) == NATS_OK && id != nullptr ? id : "";
}

}  // namespace

Publisher::Publisher(Connection& connection, std::chrono::milliseconds timeout, std::function<void()> duplicate)
    : connection_(connection), timeout_(timeout), duplicate_(std::move(duplicate)) {
  jsOptions options;
  check(jsOptions_Init(&options), "make JetStream options");
  options.Wait = timeout.count();
  options.PublishAsync.AckHandler = on_answer;
  options.PublishAsync.AckHandlerClosure = this;
  jsCtx* raw = nullptr;
  check(natsConnection_JetStream(&raw, connection.get(), &options), "use JetStream");
  context_.reset(raw);
}

Publisher::~Publisher() {
  // Answers still on their way find no context, so none comes after this.
  jsPubOptions options;
  jsPubOptions_Init(&options);
  options.MaxWait = timeout_.count();
  js_PublishAsyncComplete(context_.get(), &options);
}

std::vector<Published> Publisher::publish(std::span<const Message> messages) {
  const std::scoped_lock one_batch(one_batch_);
  {
    const std::scoped_lock lock(mutex_);
    waiting_.clear();
    answers_.assign(messages.size(), Published::unknown);
  }
  for (std::size_t i = 0; i < messages.size(); ++i) send(i, messages[i]);
  std::unique_lock lock(mutex_);
  // nats.c answers each with a time-out itself; the extra second covers its own scheduling.
  all_answered_.wait_for(lock, timeout_ + std::chrono::seconds(1), [this] { return waiting_.empty(); });
  for (const auto& [id, index] : waiting_) answers_[index] = Published::unknown;
  waiting_.clear();
  return answers_;
}

void Publisher::send(std::size_t index, const Message& message) {
  auto prepared = to_nats(message);
  const auto id = id_of(prepared.get());
  {
    const std::scoped_lock lock(mutex_);
    waiting_[id] = index;
  }
  jsPubOptions options;
  jsPubOptions_Init(&options);
  options.MaxWait = timeout_.count();  // without it a lost answer would never be reported
  natsMsg* raw = prepared.release();
  const auto status = js_PublishMsgAsync(context_.get(), &raw, &options);
  const Msg not_taken(raw);  // nullptr where nats.c has taken it over
  if (status != NATS_OK) answered(id, meaning_of(status, 0, false, 0));
}

void Publisher::answered(const std::string& id, Published meaning) {
  const std::scoped_lock lock(mutex_);
  const auto found = waiting_.find(id);
  if (found == waiting_.end()) return;  // of an earlier batch, given up meanwhile
  answers_[found->second] = meaning;
  waiting_.erase(found);
  if (waiting_.empty()) all_answered_.notify_all();
}

void Publisher::on_answer(jsCtx*, natsMsg* message, jsPubAck* ack, jsPubAckErr* error, void* self) {
  const Msg owned(message);
  auto& us = *static_cast<Publisher*>(self);
  auto meaning = error != nullptr ? meaning_of(error->Err, error->ErrCode, false, 0)
                                  : meaning_of(NATS_OK, 0, ack->Duplicate, ack->Sequence);
  if (ack != nullptr && ack->Duplicate) us.duplicate_();
  // To a publisher a refused subject looks like a time-out; the refusal came as an error of the connection.
  if (meaning == Published::unknown && us.connection_.is_refused(natsMsg_GetSubject(message)))
    meaning = Published::refused;
  us.answered(id_of(message), meaning);
}

}  // namespace quadrille::jetstream
