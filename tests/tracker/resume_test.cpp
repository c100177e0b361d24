// A rebuild that was interrupted goes on where it was.
#include "core/clock.hpp"
#include "core/envelope.hpp"
#include "embedded/nats_server.hpp"
#include "embedded/probe.hpp"
#include "jetstream/jetstream_broker.hpp"
#include "postgres/session.hpp"
#include "support/temporary_database.hpp"
#include "tracker/engine.hpp"
#include "tracker/fold.hpp"
#include "tracker/schema.hpp"

#include <gtest/gtest.h>

namespace quadrille::tracker {
namespace {

Event event(int number) {
  Event one;
  one.id = "event-" + std::to_string(number);
  one.type = "test.Happened";
  one.source = "tester";
  one.subject = "evt.1.test.thing.Happened";
  one.stream = {"thing", std::to_string(number)};
  one.version = 1;
  one.saga_id = "saga-" + std::to_string(number);
  one.recorded_at = TimePoint(std::chrono::hours(490'000));
  return one;
}

TEST(Resume, ARebuildGoesOnWhereItWasUnlessTheProgramFoldsOtherwise) {
  embedded::TemporaryFolder folder;
  const embedded::NatsServer server({.folder = folder.path()});
  support::TemporaryDatabase database;
  EngineSettings settings;
  settings.nats = {.url = server.url(), .client_name = "tracker"};
  settings.database = {.url = database.owner_url(), .application_name = "tracker"};
  constexpr int events = 3'000;  // more than a rebuild takes at once
  const auto broker = jetstream::connect({.url = server.url(), .client_name = "tester"});
  broker->ensure({});
  std::vector<Message> messages;
  for (int i = 0; i < events; ++i) messages.push_back(to_message(event(i)));
  for (const auto answer : broker->publish(messages)) ASSERT_EQ(answer, Published::stored);

  postgres::Pool pool(settings.database);
  ASSERT_EQ(prepare(pool), 1);
  ASSERT_EQ(unfinished_generation(pool, 1), std::nullopt);
  const auto generation = add_generation(pool);
  Choreographies choreographies;
  std::uint64_t interrupted_at = 0;
  {
    Fold begun(settings, std::make_shared<Tables>(settings.database, generation), choreographies, nullptr);
    ASSERT_TRUE(embedded::await([&] { return begun.step(std::chrono::milliseconds(100), TimePoint{}); },
                                std::chrono::seconds(20)));
    interrupted_at = begun.position().sequence;
  }
  ASSERT_GT(interrupted_at, 0U);
  ASSERT_LT(interrupted_at, static_cast<std::uint64_t>(events));
  {
    postgres::Session another_program(pool);
    static_cast<void>(another_program.run_once("UPDATE tracker.generation SET fold_format = fold_format + 1", {}));
    another_program.commit();
  }
  ASSERT_EQ(unfinished_generation(pool, 1), std::nullopt) << "it folds otherwise";
  {
    postgres::Session this_program(pool);
    static_cast<void>(this_program.run_once("UPDATE tracker.generation SET fold_format = fold_format - 1", {}));
    this_program.commit();
  }
  ASSERT_EQ(unfinished_generation(pool, 1), generation);

  const telemetry::Log log("tracker", telemetry::Level::error, telemetry::Format::text);
  const SystemClock clock;
  const Engine engine(settings, clock, log);
  ASSERT_TRUE(embedded::await([&] { return engine.progress().generation == generation; }, std::chrono::seconds(60)));
  // Had it begun anew, there would be no rebuild at all now, and generation 1 would be served.
  EXPECT_TRUE(embedded::await([&] { return engine.progress().sequence == static_cast<std::uint64_t>(events); },
                              std::chrono::seconds(60)));
  EXPECT_FALSE(engine.progress().rebuild);
  EXPECT_TRUE(embedded::await([&] { return generations(pool) == std::vector{generation}; }, std::chrono::seconds(20)));
}

}  // namespace
}  // namespace quadrille::tracker
