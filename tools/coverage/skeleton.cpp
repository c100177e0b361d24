#include "coverage/skeleton.hpp"

#include "contract/cpp_names.hpp"
#include "scaffold/words.hpp"

#include <algorithm>
#include <stdexcept>

namespace quadrille::coverage {
namespace {

std::string cpp_type(const std::string& message) { return "::" + contract::cpp_scope(message); }

/// `payment.Authorize says PaymentDeclined` -> AuthorizeSaysPaymentDeclined
std::string test_name(const Branch& branch) {
  auto words = text_of(branch).substr(branch.participant.size() + 1);
  std::ranges::replace(words, ' ', '_');
  return scaffold::camel_case(words);
}

/// What arrives; `then` follows the last.
std::string when(const contract::Model& model, const contract::Step& step, const Branch& branch) {
  if (step.start == contract::Start::timer) return "  scenario.when_timer(\"" + step.name + "\", \"1\")";
  auto triggers = step.triggers;
  if (step.start == contract::Start::command) triggers = {step.input};
  if (step.start == contract::Start::any_of) triggers = {branch.trigger.empty() ? triggers.front() : branch.trigger};
  std::string text;
  for (std::size_t i = 0; i < triggers.size(); ++i) {
    const auto name = triggers.size() == 1 ? std::string("trigger") : "trigger_" + std::to_string(i + 1);
    text += "  " + cpp_type(triggers[i]) + " " + name + ";\n";
    if (const auto* event = model.find_event(triggers[i]); event != nullptr)
      text += "  " + name + ".set_" + event->key_field + "(\"1\");\n";
    for (const auto& field : step.input_fields) text += "  // " + name + ".set_" + field + "(...);\n";
    text += "  scenario.when(" + name + ")" + (i + 1 < triggers.size() ? ";\n" : "");
  }
  return text;
}

std::string then(const Branch& branch) {
  if (branch.said.empty()) return ";\n  // scenario.then(...): what it says to that\n";
  return ".then(" + (branch.said == nothing ? "" : cpp_type(branch.said) + "()") + ");\n";
}

}  // namespace

std::vector<Skeleton> skeletons(const contract::Model& model, std::span<const Branch> branches) {
  std::vector<Skeleton> all;
  for (const auto& branch : branches) {
    if (branch.times > 0) continue;
    const auto* participant = model.find_participant(branch.participant);
    const auto* step = participant == nullptr ? nullptr : participant->find_step(branch.step);
    if (step == nullptr) throw std::logic_error(text_of(branch) + " is no branch of these contracts");
    const auto service =
        scaffold::camel_case(branch.participant) + "Service";  // as `quadrille new participant` calls it
    const auto opening = "TEST(" + service + ", " + test_name(branch) + ") {";
    all.push_back({branch.participant, opening,
                   opening + "\n  GTEST_SKIP() << \"no test takes this " + std::string(name_of(branch.kind)) +
                       " branch yet: say what was before and what the trigger holds\";\n  Scenario<" + service +
                       "> scenario;\n  // scenario.resource(...).given(...): what there was before\n" +
                       when(model, *step, branch) + then(branch) + "}\n\n"});
  }
  return all;
}

}  // namespace quadrille::coverage
