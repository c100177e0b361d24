#include "asking/asker.hpp"

#include "core/subject.hpp"
#include "core/time_text.hpp"
#include "runtime/desk.hpp"

#include <algorithm>
#include <tuple>

namespace quadrille::asking {
namespace {

using control::v1::Answer;
using control::v1::Ask;

constexpr std::size_t everybody = 100'000;

}  // namespace

Silent::Silent(const std::string& participant, std::chrono::milliseconds waited, std::chrono::milliseconds longest)
    : Error(Disposition::retry,
            waited < longest
                ? "no instance of " + participant +
                      " runs on this broker: is the name right, and the broker? `quadrille status` lists who answers"
                : "no instance of " + participant + " has answered within " + duration_text(longest) +
                      ": does one run, and with a framework that answers?") {}

Answer Asker::ask(const std::string& participant, const Ask& ask, std::chrono::milliseconds longest) const {
  const auto subject = runtime::is_act(ask) ? act_subject(participant) : control_subject(participant);
  const auto began = std::chrono::steady_clock::now();
  const auto answers = broker_.ask(subject, ask.SerializeAsString(), 1, longest);
  if (answers.empty())
    throw Silent(participant,
                 std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began),
                 longest);
  Answer answer;
  if (!answer.ParseFromString(answers.front()))
    throw Error(Disposition::park, "what answers at " + subject + " is no participant: its bytes are not an Answer",
                ReasonClass::contract);
  return answer;
}

std::vector<Answer> Asker::instances(bool with_consumers, std::chrono::milliseconds longest) const {
  Ask ask;
  ask.mutable_status()->set_with_consumers(with_consumers);
  std::vector<Answer> answers;
  for (const auto& bytes : broker_.ask(instances_subject, ask.SerializeAsString(), everybody, longest)) {
    Answer answer;
    if (answer.ParseFromString(bytes)) answers.push_back(std::move(answer));
  }
  std::ranges::sort(answers, [](const Answer& one, const Answer& other) {
    return std::tie(one.participant(), one.instance()) < std::tie(other.participant(), other.instance());
  });
  return answers;
}

}  // namespace quadrille::asking
