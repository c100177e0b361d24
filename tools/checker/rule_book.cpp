#include "checker/rule_book.hpp"

#include <algorithm>

namespace quadrille::checker {

const std::vector<RuleText>& rule_book() {
  static const std::vector<RuleText> rules{
      {"QDR100", "the contract cannot be read", "Nothing can be generated from it or checked.",
       "Make the file valid protobuf and follow the hint: each step needs a kind, each name in an option has to "
       "exist."},
      {"QDR101", "consumed but never emitted", "The step waits for ever; sagas that need it hang without a sign.",
       "Let the owner of the event emit it, or remove the trigger. Often it is the event of another version."},
      {"QDR102", "emitted but never consumed", "Somebody believes that somebody reacts. Nobody does.",
       "Give it a consumer or an END role, say audience: PUBLIC, or stop emitting it."},
      {"QDR103", "one event, two emitters",
       "A fact has one owner. With two, its stream has two writers and its meaning two histories.",
       "Give each participant an event of its own."},
      {"QDR110", "no end can be reached", "The saga runs on for ever or stops half-way: money held, nobody told.",
       "Let what follows the event lead to one with role END_DONE or END_UNDONE."},
      {"QDR111", "cannot be reached", "Dead code that looks alive: it is read, reviewed and trusted, and never runs.",
       "Mark the event that begins its saga with role START, or remove it."},
      {"QDR121", "compensatable without a compensation", "When a later step fails, what this one did stays done.",
       "Name a step of kind COMPENSATION in compensated_by; a step that leaves nothing to undo is a QUERY."},
      {"QDR122", "a failure that undoes too little",
       "The saga is reported as cancelled while something it did is still there: the classic forgotten undo.",
       "Let the compensation be triggered by the failure, or by something that follows it."},
      {"QDR124", "a compensation that can fail", "An undo that gives up leaves the saga in a state nobody designed.",
       "Take the failure out of its outcome: a compensation is repeated until it succeeds."},
      {"QDR125", "a retriable step that can say no",
       "After the pivot the saga can only go forward; a no there has nowhere to go.",
       "Take the failure out of its outcome, or move the step before the pivot."},
      {"QDR126", "a compensation that may overtake its step",
       "The undo finds nothing to undo; then the step comes late and does its work, for ever.",
       "Let the undo record that it came first, let the step respect that, and say null_safe: true."},
      {"QDR127", "a compensation after the pivot", "Something is undone in a saga that is going to be completed.",
       "Let the failure come before the pivot, or make the step retriable."},
      {"QDR128", "a compensation that no failure triggers",
       "It was written for a failure that nobody declares: either the failure or the compensation is missing its other "
       "half.",
       "Mark the event that says no with failure: true, or remove the compensation."},
      {"QDR130", "a saga without a pivot",
       "Steps that can fail and steps that may not stand side by side; nobody has said where the way back ends.",
       "Give the last step that can fail kind: PIVOT."},
      {"QDR131", "a second pivot", "After the first point of no return the second one may still say no.",
       "Make the later one retriable or the earlier one compensatable."},
      {"QDR132", "compensatable after the pivot", "It promises an undo that will never be asked for.",
       "Make it retriable."},
      {"QDR133", "a failure beside the pivot", "The pivot goes ahead while somebody else says no: both win.",
       "Let the step come before the pivot, in one chain."},
      {"QDR140", "a cycle without a bound",
       "One message goes round for ever: load without an end, and a saga that never ends either.",
       "Declare bound: { loop, max, exit } on a step that every way round passes and that nothing in the cycle "
       "resets."},
      {"QDR141", "a paced cycle that never ends", "It does no harm in a minute, and never ends in a year.",
       "Bound it; if it is meant to go on for ever, each round should be a saga of its own."},
      {"QDR143", "compensations in a circle", "Each undo triggers the next, for ever.",
       "Let each be triggered by what failed, or by the one after it, in one direction."},
      {"QDR144", "a bound that bounds nothing",
       "The loop is believed to be bounded and is not, or the bound outlived its loop.",
       "Let exit name an event that leaves the cycle, or remove the bound."},
      {"QDR160", "two who decide",
       "One participant completes the saga while another cancels it: the goods leave and the order is rejected.",
       "Let one participant decide: a PIVOT, which the other asks; the asked step is named in settles."},
      {"QDR161", "a time-out beside the pivot",
       "The clock undoes while the pivot goes ahead: the customer is refunded and gets the goods.",
       "Make the time-out a request: a step of the pivot's service takes it and is named in settles; the first of the "
       "two wins."},
      {"QDR170", "an event without a key", "It has no stream: no order, no version, no fence.",
       "Mark the string field that names its aggregate with [(quadrille.v1.field).key = true]."},
      {"QDR172", "personal data in an event",
       "Events are never rewritten: what is in them cannot be erased when somebody asks for it.",
       "Record a reference to where the data can be erased."},
  };
  return rules;
}

std::optional<RuleText> find_rule(std::string_view code) {
  const auto found = std::ranges::find(rule_book(), code, &RuleText::code);
  return found == rule_book().end() ? std::nullopt : std::optional(*found);
}

}  // namespace quadrille::checker
