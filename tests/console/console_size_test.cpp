// A hundred thousand sagas: the page stays as quick as with ten.
#include "browser.hpp"
#include "console_system.hpp"
#include "embedded/probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadrille {
namespace {

constexpr int sagas = 100'000;
/// A page that does not answer for longer feels frozen. Machines that build at the same time are allowed for.
constexpr int longest_pause_ms = 1'000;

/// As many as there would be after a busy night, made from one that the tracker has written itself.
void multiply(const ConsoleSystem& system) {
  system.sql(system.tracker_database(),
             "INSERT INTO tracker_1.saga SELECT lpad(n::text, 8, '0') || '-0000-7000-8000-000000000000', 0, saga, 'o-' "
             "|| n, state, started + n, ended, deadline, stuck_class, error, resolved, replace(replace(summary, "
             "saga_id, lpad(n::text, 8, '0') || '-0000-7000-8000-000000000000'), key, 'o-' || n) FROM "
             "tracker_1.saga CROSS JOIN generate_series(1, " +
                 std::to_string(sagas - 1) + ") AS n");
  // What PostgreSQL does by itself soon after so many rows.
  system.sql(system.tracker_database(), "ANALYZE tracker_1.saga");
}

TEST(ConsoleSize, ListsAHundredThousandSagasWithoutFreezing) {
  ConsoleSystem system;
  system.start_tracker();
  system.place(1);
  ASSERT_TRUE(embedded::await(
      [&] {
        return system.get("/api/count?state=COMPLETED")["count"] == 1 ||
               system.get("/api/count?state=CANCELLED")["count"] == 1;
      },
      std::chrono::seconds(30)));
  system.stop_tracker();
  multiply(system);
  system.start_tracker();
  ASSERT_EQ(system.get("/api/count")["count"], sagas);
  Browser browser;
  browser.resize(1280, 900, false);
  browser.open(system.url() + "#/sagas");
  browser.await("document.querySelector('.found')?.textContent.startsWith('100,000 sagas')");
  browser.await("document.querySelectorAll('.body .row').length > 10");
  const auto seen = browser.evaluate(R"((async () => {
    const scroller = document.querySelector('.scroller');
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    let longest = 0, frames = 0, rows = 0, last = performance.now();
    const began = last;
    const read = () => Number(document.querySelector('.grid').getAttribute('aria-rowcount')) - 1;
    while (read() < 100000 && performance.now() - began < 60000) {
      scroller.scrollTop = scroller.scrollHeight;
      await frame();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      ++frames;
      rows = Math.max(rows, document.querySelectorAll('.body .row').length);
    }
    scroller.scrollTop = scroller.scrollHeight;
    await frame(); await frame(); await frame();
    const requests = performance.getEntriesByType('resource').filter((one) => one.name.includes('/api/sagas')).length;
    return {requests, read: read(), longest, frames, rows, took: performance.now() - began,
            last: [...document.querySelectorAll('.body .row')].pop().innerText};
  })())");
  std::cout << seen << "\n";
  EXPECT_EQ(seen["read"], sagas) << "pages come as one scrolls";
  EXPECT_LT(seen["rows"], 100) << "elements only for what is in sight";
  EXPECT_LT(seen["longest"], longest_pause_ms);
  EXPECT_THAT(seen["last"].get<std::string>(), testing::HasSubstr("o-99999"));
  EXPECT_THAT(browser.complaints(), testing::IsEmpty());
}

}  // namespace
}  // namespace quadrille
