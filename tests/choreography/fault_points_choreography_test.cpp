// A participant dies at every point between two effects that belong together, and is started again: each point is
// reached, every saga ends, nothing is lost, doubled or reordered.
#include "core/subject.hpp"
#include "embedded/probe.hpp"
#include "runtime/fault_point.hpp"
#include "shop_fixture.hpp"

#include <pqxx/pqxx>

#include <cstdlib>
#include <future>
#include <string_view>

namespace quadrille {
namespace {

constexpr std::size_t sagas_a_point = 6;
constexpr int killed = 128 + 9;

class FaultPoints : public ShopFixture {
 protected:
  FaultPoints() { ::setenv("QUADRILLE_LEASE_TIME", "1s", 1); }  // of the dead
  ~FaultPoints() override { ::unsetenv("QUADRILLE_LEASE_TIME"); }

  /// Who is there at such a moment.
  static std::string victim_of(std::string_view point) {
    const bool at_order = point.starts_with("command") || point.starts_with("timer");
    return at_order ? "order" : "payment";
  }
  void start_to_die(const std::string& victim, const char* point) {
    ::setenv("QUADRILLE_FAULT_POINT", point, 1);
    system_.start(victim);
    ::unsetenv("QUADRILLE_FAULT_POINT");
  }
  void sql(const std::string& participant, const std::string& statements) const {
    pqxx::connection connection(system_.owner_url(participant));
    pqxx::nontransaction(connection).exec(statements);
  }
  [[nodiscard]] int count(const std::string& participant, const std::string& what) const {
    pqxx::connection connection(system_.owner_url(participant));
    return pqxx::nontransaction(connection).exec("SELECT count(*) FROM quadrille." + what)[0][0].as<int>();
  }
  /// One instance holds them, those of an earlier one having run out.
  void await_all_lanes(const std::string& victim) {
    system_.await_ready(victim);
    EXPECT_TRUE(embedded::await(
        [&] {
          return count(victim, "leases WHERE name LIKE 'lane-%' AND expires_at > now()") == lane_count &&
                 count(victim, "leases WHERE name LIKE 'instance/%' AND expires_at > now()") == 1;
        },
        std::chrono::seconds(20)))
        << "some lanes are nobody's";
  }
  /// What the victim is handed meanwhile has to wait in its waiting room.
  void fill_waiting_room(const std::string& victim) {
    sql(victim,
        "CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END "
        "$$;"
        "CREATE TRIGGER refuse BEFORE INSERT ON quadrille.events FOR EACH ROW EXECUTE FUNCTION public.refuse()");
    EXPECT_TRUE(embedded::await([&] { return count(victim, "waiting") > 0; }, std::chrono::seconds(20)))
        << "nothing waits";
    sql(victim, "DROP TRIGGER refuse ON quadrille.events; DROP FUNCTION public.refuse()");
  }
};

TEST_F(FaultPoints, AreEachReachedAndSurvived) {
  shop::Load load(system_, opening_, test_seed(20261205));
  system_.start_all();
  system_.await_all_ready();
  for (const char* point : runtime::fault_point_names) {
    const auto victim = victim_of(point);
    system_.process(victim).kill();
    start_to_die(victim, point);
    auto placed = std::async(std::launch::async, [&] { load.place(sagas_a_point); });
    if (std::string_view(point).starts_with("waiting")) fill_waiting_room(victim);
    if (point == std::string_view("leases_surplus")) {
      await_all_lanes(victim);
      system_.start(victim, 1);
    }
    EXPECT_EQ(system_.process(victim).wait(std::chrono::seconds(30)), killed) << point << " was not reached";
    system_.start(victim);
    placed.get();
  }
  expect_sound(load, std::chrono::seconds(60));
}

}  // namespace
}  // namespace quadrille
