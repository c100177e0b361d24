// Each row is a story: what a saga hears, and what it says to each of it.
#include "orchestrator/engine.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <sstream>

namespace quadrille::orchestrator {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using v1::SagaMove;
using v1::SagaProgress;

/// a and then b can be undone, c leaves nothing, d and e run beside each other and can be undone, p is the pivot, f and
/// g beside each other and h may only go forward.
Plan plan() {
  const auto step = [](std::string name, std::string undo, std::size_t group) {
    return PlannedStep{std::move(name), std::move(undo), group, minutes(1), minutes(10), minutes(1), minutes(10)};
  };
  return {{step("a", "-a", 0), step("b", "-b", 1), step("c", "", 2), step("d", "-d", 3), step("e", "-e", 3),
           step("p", "", 4), step("f", "", 5), step("g", "", 5), step("h", "", 6)},
          4};
}

class Saga {
 public:
  explicit Saga(Plan plan = orchestrator::plan()) : plan_(std::move(plan)) { progress_.set_saga_id("s"); }

  /// `start`, `ok a`, `no a`, `undone -a`, `person`, `time` (to the next look), `wait` (a moment before it).
  std::optional<Transition> hear(const std::string& what, const std::string& rpc = "") {
    if (what == "time" && look_at_) now_ = std::max(now_, *look_at_);
    if (what == "wait" && look_at_) now_ = std::max(now_, *look_at_ - milliseconds(1));
    static const std::map<std::string, SagaMove::Cause> causes{
        {"start", SagaMove::STARTED}, {"ok", SagaMove::OK},     {"no", SagaMove::NO},
        {"undone", SagaMove::UNDONE}, {"time", SagaMove::TIME}, {"wait", SagaMove::TIME},
        {"person", SagaMove::PERSON}};
    auto next = advance(plan_, progress_, {causes.at(what), rpc}, now_);
    if (next) {
      progress_ = next->move.progress();
      look_at_ = next->look_at;
    }
    return next;
  }
  /// What was commanded at each line, "." for a transition that commands nothing, "=" where nothing changed.
  std::string tell(const std::string& story) {
    std::istringstream lines(story);
    std::string said;
    for (std::string line; std::getline(lines, line, ';');) {
      std::istringstream words(line);
      std::string what;
      std::string rpc;
      words >> what >> rpc;
      const auto next = hear(what, rpc);
      said += said.empty() ? "" : " ";
      if (!next) said += "=";
      if (next && next->commands.empty()) said += ".";
      if (next)
        for (std::size_t i = 0; i < next->commands.size(); ++i) said += (i > 0 ? "+" : "") + next->commands[i].rpc;
    }
    return said;
  }
  [[nodiscard]] std::string state() const { return SagaProgress::State_Name(progress_.state()); }
  [[nodiscard]] const SagaProgress& progress() const { return progress_; }
  [[nodiscard]] const Plan& its_plan() const { return plan_; }
  [[nodiscard]] std::optional<TimePoint> look_at() const { return look_at_; }
  [[nodiscard]] TimePoint now() const { return now_; }
  void pass(milliseconds length) { now_ += length; }

 private:
  Plan plan_;
  SagaProgress progress_;
  TimePoint now_{hours(1)};
  std::optional<TimePoint> look_at_;
};

struct Row {
  const char* name;
  const char* story;
  const char* said;
  const char* state;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class Engine : public ::testing::TestWithParam<Row> {};

TEST_P(Engine, DoesAsThePlanSays) {
  Saga saga;
  EXPECT_EQ(saga.tell(GetParam().story), GetParam().said);
  EXPECT_EQ(saga.state(), GetParam().state);
}

constexpr const char* to_pivot = "start;ok a;ok b;ok c;ok d;ok e;";
#define TO_PIVOT "start;ok a;ok b;ok c;ok d;ok e"
#define SAID_TO_PIVOT "a b c d+e . p"

const Row rows[] = {
    {"Begins", "start", "a", "RUNNING"},
    {"BeginsOnce", "start;start", "a =", "RUNNING"},
    {"HearsNothingBeforeItBegins", "ok a;no a;time;person", "= = = =", "STATE_UNSPECIFIED"},
    {"GoesToItsEnd", TO_PIVOT ";ok p;ok f;ok g;ok h", SAID_TO_PIVOT " f+g . h .", "COMPLETED"},
    {"JoinsAGroupInAnyOrder", "start;ok a;ok b;ok c;ok e;ok d", "a b c d+e . p", "RUNNING"},
    {"CancelsWhereTheFirstSaysNo", "start;no a", "a .", "CANCELLED"},
    {"UndoesInReverse", "start;ok a;ok b;no c;undone -b;undone -a", "a b c -b -a .", "CANCELLED"},
    {"SkipsWhatLeavesNothing", "start;ok a;ok b;ok c;ok d;no e;undone -d;undone -b;undone -a", "a b c d+e . -d -b -a .",
     "CANCELLED"},
    {"WaitsForTheOthersOfAGroup", "start;ok a;ok b;ok c;no d;ok e;undone -e;undone -b;undone -a",
     "a b c d+e . -e -b -a .", "CANCELLED"},
    {"BothOfAGroupSayNo", "start;ok a;ok b;ok c;no d;no e;undone -b;undone -a", "a b c d+e . -b -a .", "CANCELLED"},
    {"UndoesWhatTimedOutToo", "start;ok a;wait;time;undone -b;undone -a", "a b = -b -a .", "CANCELLED"},
    {"OneTimeOutATransition", "start;ok a;ok b;ok c;time;time;undone -e;undone -d;undone -b;undone -a",
     "a b c d+e . -e -d -b -a .", "CANCELLED"},
    {"ALateYesChangesNothing", "start;ok a;time;ok b;undone -b;ok b;undone -a;ok b", "a b -b = -a = . =", "CANCELLED"},
    {"ALateNoChangesNothing", "start;time;no a;undone -a;no a", "a -a = . =", "CANCELLED"},
    {"ARepeatedReplyChangesNothing", "start;ok a;ok a;ok b;ok a;ok b", "a b = c = =", "RUNNING"},
    {"AReplyOfAnotherStepChangesNothing", "start;ok b;ok p;no c;undone -a", "a = = = =", "RUNNING"},
    {"AReplyOfTheOtherDirectionChangesNothing", "start;ok a;no b;ok a;no a;undone -b;undone -a", "a b -a = = = .",
     "CANCELLED"},
    {"ACompensationIsRepeated", "start;ok a;no b;time;time;undone -a;undone -a", "a b -a -a -a . =", "CANCELLED"},
    {"ANoAtThePivotIsTriedAgain", TO_PIVOT ";no p;time;ok p", SAID_TO_PIVOT " . p f+g", "RUNNING"},
    {"SilenceAtThePivotIsTriedAgain", TO_PIVOT ";time;ok p;ok p", SAID_TO_PIVOT " p f+g =", "RUNNING"},
    {"ANoAfterThePivotIsTriedAgain", TO_PIVOT ";ok p;no f;ok g;time;ok f;ok h", SAID_TO_PIVOT " f+g . . f h .",
     "COMPLETED"},
    {"NothingAfterTheEnd", TO_PIVOT ";ok p;ok f;ok g;ok h;ok h;no h;time;person;start",
     SAID_TO_PIVOT " f+g . h . = = = = =", "COMPLETED"},
};

INSTANTIATE_TEST_SUITE_P(Stories, Engine, ::testing::ValuesIn(rows), [](const auto& row) { return row.param.name; });

TEST(Patience, SpentAfterThePivotWaitsForAPersonWhoContinuesIt) {
  Saga saga;
  saga.tell(std::string(to_pivot) + "ok p;ok f;ok g");
  int repetitions = 0;
  for (auto next = saga.hear("time"); next && next->move.stuck().empty(); next = saga.hear("time")) {
    ASSERT_EQ(next->commands.size(), 1U);
    ++repetitions;
  }
  EXPECT_EQ(repetitions, 3);  // after 1, 3 and 7 minutes; the patience of ten ends before the next
  EXPECT_EQ(saga.state(), "STUCK");
  EXPECT_FALSE(saga.look_at()) << "a person has to look, the clock does not";
  EXPECT_EQ(saga.tell("time;no h"), "= =");
  const auto continued = saga.hear("person");
  ASSERT_TRUE(continued);
  EXPECT_EQ(continued->move.resumed(), "h");
  EXPECT_EQ(saga.state(), "RUNNING");
  EXPECT_EQ(saga.tell("person;ok h"), "= .");
  EXPECT_EQ(saga.state(), "COMPLETED");
}

TEST(Patience, AnAnswerAfterItWasSpentStillCounts) {
  Saga saga;
  saga.tell(std::string(to_pivot) + "ok p;ok f;ok g");
  while (saga.state() == "RUNNING") ASSERT_TRUE(saga.hear("time"));
  const auto late = saga.hear("ok", "h");
  ASSERT_TRUE(late);
  EXPECT_EQ(late->move.resumed(), "h");
  EXPECT_EQ(saga.state(), "COMPLETED");
}

TEST(Patience, OfACompensationIsReportedOnceAndNeverEnds) {
  Saga saga;
  saga.tell("start;ok a;no b");
  int reported = 0;
  milliseconds longest{0};
  for (int i = 0; i < 50; ++i) {
    const auto before = saga.now();
    const auto next = saga.hear("time");
    ASSERT_TRUE(next);
    ASSERT_EQ(next->commands.size(), 1U);
    EXPECT_EQ(command_key("s", next->commands.front()), "s:a:backward");
    reported += next->move.stuck().empty() ? 0 : 1;
    longest = std::max(longest, std::chrono::duration_cast<milliseconds>(saga.now() - before));
  }
  EXPECT_EQ(reported, 1);
  EXPECT_EQ(longest, hours(1)) << "the ceiling of the pauses";
  EXPECT_EQ(saga.state(), "COMPENSATING");
  const auto undone = saga.hear("undone", "-a");
  ASSERT_TRUE(undone);
  EXPECT_EQ(undone->move.resumed(), "a");
  EXPECT_EQ(saga.state(), "CANCELLED");
}

TEST(CommandKey, IsTheSameForEachRepetitionAndNamesTheDirection) {
  EXPECT_EQ(command_key("s", {"a", "a", false}), "s:a:forward");
  EXPECT_EQ(command_key("s", {"a", "-a", true}), "s:a:backward");
}

/// Any replies in any order, thousands of times: nothing is undone from the pivot on, nothing is undone that was not
/// begun, and whoever gets its answers in the end ends.
TEST(Engine, KeepsItsLawsWhateverItHears) {
  for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
    std::mt19937 random(seed);
    Saga saga;
    bool pivot_done = false;
    std::set<std::string> begun;
    const auto check = [&](const std::optional<Transition>& next) {
      if (!next) return;
      for (const auto& command : next->commands) {
        ASSERT_FALSE(command.backward && pivot_done) << "seed " << seed << " undoes " << command.step;
        ASSERT_TRUE(!command.backward || begun.contains(command.step)) << "seed " << seed;
        if (!command.backward) begun.insert(command.step);
      }
      pivot_done = pivot_done || (next->move.cause() == SagaMove::OK && next->move.step() == "p");
    };
    check(saga.hear("start"));
    static const char* const causes[] = {"ok", "ok", "ok", "no", "undone", "time", "person"};
    for (int i = 0; i < 60; ++i) {
      const auto& step = saga.its_plan().steps[random() % saga.its_plan().steps.size()];
      const std::string cause = causes[random() % 7];
      check(saga.hear(cause, cause == "undone" ? step.undo : step.name));
    }
    for (int i = 0; i < 100 && saga.state() != "COMPLETED" && saga.state() != "CANCELLED"; ++i) {
      check(saga.hear("person"));
      for (const auto& step : saga.its_plan().steps) {
        check(saga.hear("ok", step.name));
        if (!step.undo.empty()) check(saga.hear("undone", step.undo));
      }
    }
    ASSERT_EQ(saga.state(), pivot_done ? "COMPLETED" : "CANCELLED") << "seed " << seed;
  }
}

}  // namespace
}  // namespace quadrille::orchestrator
