#include "tracker/control_client.hpp"

#include "core/subject.hpp"
#include "quadrille/error.hpp"

#include <future>
#include <limits>

namespace quadrille::tracker {
namespace {

using control::v1::Answer;
using control::v1::Ask;

constexpr std::chrono::milliseconds answer_within{3'000};
/// Nobody knows how many there are: whoever has not answered by then is called silent.
constexpr std::chrono::milliseconds all_answer_within{1'000};

}  // namespace

ControlClient::Line::Line(jetstream::JetStreamSettings settings) : settings_(std::move(settings)) {
  settings_.connect_timeout = std::chrono::milliseconds(2'000);
}

Broker& ControlClient::Line::broker() {
  const std::lock_guard lock(mutex_);
  try {
    if (broker_ == nullptr) broker_ = jetstream::connect(settings_);
  } catch (const Error& error) {
    throw Error(Disposition::retry, error.what());
  }
  return *broker_;
}

ControlClient::ControlClient(jetstream::JetStreamSettings reading, std::optional<jetstream::JetStreamSettings> acting)
    : reading_(std::move(reading)) {
  if (acting) acting_.emplace(std::move(*acting));
}

std::optional<Answer> ControlClient::one_answer(Broker& broker, const std::string& subject, const Ask& question) {
  for (const auto& bytes : broker.ask(subject, question.SerializeAsString(), 1, answer_within))
    if (Answer answer; answer.ParseFromString(bytes)) return answer;
  return std::nullopt;
}

std::optional<Answer> ControlClient::ask(const std::string& participant, const Ask& question) {
  return one_answer(reading_.broker(), control_subject(participant), question);
}

std::optional<Answer> ControlClient::act(const std::string& participant, const Ask& act) {
  auto& broker = (acting_ ? *acting_ : reading_).broker();
  try {
    return one_answer(broker, act_subject(participant), act);
  } catch (const Error& error) {
    if (error.disposition() != Disposition::stop) throw;
    throw Error(Disposition::park, std::string(error.what()) +
                                       "; give the tracker a user that may act, such as operator, by "
                                       "QUADRILLE_OPERATOR_NATS_URL or QUADRILLE_OPERATOR_NATS_CREDENTIALS");
  }
}

std::map<std::string, Answer> ControlClient::ask_each(const std::vector<std::string>& participants,
                                                      const Ask& question) {
  std::vector<std::future<std::optional<Answer>>> asked;
  for (const auto& participant : participants)
    asked.push_back(std::async(std::launch::async, [&, participant] { return ask(participant, question); }));
  std::map<std::string, Answer> answers;
  for (std::size_t i = 0; i < participants.size(); ++i)
    if (auto answer = asked[i].get()) answers.emplace(participants[i], std::move(*answer));
  return answers;
}

std::vector<Answer> ControlClient::instances(bool with_consumers) {
  Ask question;
  question.mutable_status()->set_with_consumers(with_consumers);
  std::vector<Answer> answers;
  for (const auto& bytes : reading_.broker().ask(instances_subject, question.SerializeAsString(),
                                                 std::numeric_limits<std::size_t>::max(), all_answer_within))
    if (Answer answer; answer.ParseFromString(bytes)) answers.push_back(std::move(answer));
  return answers;
}

}  // namespace quadrille::tracker
