#include "core/envelope.hpp"
#include "core/uuid.hpp"
#include "quadrille/error.hpp"
#include "republish/pace.hpp"
#include "republish/renew.hpp"
#include "republish/republisher.hpp"

#include <gtest/gtest.h>

#include <map>

namespace quadrille::republish {
namespace {

Event event(const std::string& stream, std::uint64_t version, const std::string& cause = "") {
  Event one;
  one.id = stream + "@" + std::to_string(version);
  one.type = "test.Happened";
  one.source = "tester";
  one.subject = "evt.1.test.thing.Happened";
  one.stream = {"thing", stream};
  one.version = version;
  one.saga_id = "saga";
  one.causation_id = cause;
  return one;
}

/// Notes calls, because what is in one of them may be stored in any order.
class Calls final : public Broker {
 public:
  void ensure(const Topology&) override {}
  [[nodiscard]] std::vector<Published> publish(std::span<const Message> messages) override {
    auto& call = calls.emplace_back();
    std::vector<Published> answers;
    for (const auto& message : messages) {
      const bool lost = lose > 0 && lose-- > 0;
      answers.push_back(lost ? Published::unknown : answer);
      if (!lost) call.push_back(message);
    }
    return answers;
  }
  [[nodiscard]] std::unique_ptr<Receiver> receiver() override { return nullptr; }
  [[nodiscard]] std::unique_ptr<Serving> serve(const std::string&, const std::string&, Answerer) override {
    return nullptr;
  }
  [[nodiscard]] std::vector<std::string> ask(const std::string&, const std::string&, std::size_t,
                                             std::chrono::milliseconds) override {
    return {};
  }
  [[nodiscard]] std::vector<ConsumerProgress> progress(std::span<const std::string>) override { return {}; }
  [[nodiscard]] std::size_t max_message_bytes() const override { return 1 << 20; }
  [[nodiscard]] bool connected() const override { return true; }

  std::vector<std::vector<Message>> calls;
  int lose = 0;
  Published answer = Published::stored;
};

TEST(Republish, KeepsStreamsInOrderAndCausesBeforeEffects) {
  Calls broker;
  Republisher republisher(broker, {"scratch", std::nullopt, *Pace::parse("max")});
  republisher.add(event("a", 1));
  republisher.add(event("b", 1, "a@1"));
  republisher.add(event("a", 2, "b@1"));
  republisher.add(event("c", 1));
  republisher.add(event("c", 2));
  EXPECT_EQ(republisher.finish(), 5U);
  std::map<std::string, std::size_t> call_of;
  for (std::size_t i = 0; i < broker.calls.size(); ++i)
    for (const auto& message : broker.calls[i]) {
      EXPECT_EQ(message.subject, "scratch.evt.1.test.thing.Happened");
      call_of[message.headers.at("ce-id")] = i;
    }
  EXPECT_LT(call_of["a@1"], call_of["b@1"]);
  EXPECT_LT(call_of["b@1"], call_of["a@2"]);
  EXPECT_LT(call_of["c@1"], call_of["c@2"]);
  EXPECT_EQ(broker.calls.size(), 3U) << "no more than their order takes";
}

TEST(Republish, PublishesAgainWhatIsNotKnownToBeStored) {
  Calls broker;
  broker.lose = 3;
  Republisher republisher(broker, {"scratch", std::nullopt, *Pace::parse("max")});
  for (const auto* stream : {"a", "b", "c", "d"}) republisher.add(event(stream, 1));
  EXPECT_EQ(republisher.finish(), 4U);
  broker.lose = 1'000;
  republisher.add(event("e", 1));
  EXPECT_THROW(republisher.finish(), Error);
}

TEST(Republish, SaysWhatIsForbidden) {
  Calls broker;
  broker.answer = Published::refused;
  Republisher republisher(broker, {"", std::nullopt, *Pace::parse("max")});
  republisher.add(event("a", 1));
  try {
    republisher.finish();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("forbids to publish at evt.1.test.thing.Happened; 0 events"),
              std::string::npos)
        << error.what();
  }
}

TEST(Renew, IdsBelongTogetherAsTheRecordedOnesDo) {
  auto cause = event("a", 1);
  auto effect = event("b", 1, cause.id);
  cause.saga_id = effect.saga_id = new_time_uuid(TimePoint(std::chrono::seconds(1'700'000'000)));
  const auto saga = cause.saga_id;
  renew(cause, "salt");
  renew(effect, "salt");
  EXPECT_EQ(effect.causation_id, cause.id);
  EXPECT_EQ(effect.saga_id, cause.saga_id);
  EXPECT_NE(effect.saga_id, saga);
  EXPECT_EQ(time_of_uuid(effect.saga_id), time_of_uuid(saga)) << "durations are measured from it";
  EXPECT_NE(renewed(saga, "another"), effect.saga_id);
  EXPECT_EQ(renewed("", "salt"), "");
  const auto uuid = new_uuid();
  EXPECT_EQ(renewed(uuid, "s").size(), uuid.size());
  EXPECT_EQ(renewed(uuid, "s")[14], '4');
}

TEST(Pace, GoesByRecordedTime) {
  const Pace::Steady::time_point now{};
  const TimePoint recorded(std::chrono::seconds(100));
  auto recorded_pace = *Pace::parse("recorded");
  auto fast = *Pace::parse("x10");
  auto max = *Pace::parse("max");
  for (auto* pace : {&recorded_pace, &fast, &max}) EXPECT_EQ(pace->due(recorded, now), now);
  const auto later = recorded + std::chrono::seconds(20);
  EXPECT_EQ(recorded_pace.due(later, now), now + std::chrono::seconds(20));
  EXPECT_EQ(fast.due(later, now), now + std::chrono::seconds(2));
  EXPECT_EQ(max.due(later, now), now);
  for (const auto* wrong : {"", "x", "x0", "x-1", "10", "xfast", "x1e999"}) EXPECT_FALSE(Pace::parse(wrong)) << wrong;
}

}  // namespace
}  // namespace quadrille::republish
