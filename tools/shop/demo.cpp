// The demo behind tools/demo: the reference shop on real servers, with its failure paths, and what came of it.
#include "core/version.hpp"
#include "dev/system.hpp"
#include "shop/audit.hpp"
#include "shop/load.hpp"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <thread>

namespace {

using quadrille::dev::System;

void say(const std::string& text) { std::cerr << "  " << text << std::endl; }

/// Two thirds of the orders while all is well; the rest while payment is frozen, so that some checkouts time out.
void run_sagas(System& system, quadrille::shop::Load& load, std::size_t count) {
  say("placing " + std::to_string(count) + " orders; payment freezes for the last third of them");
  load.place(count * 2 / 3);
  if (!quadrille::shop::await_quiet(system, count * 2 / 3, std::chrono::seconds(60)))
    say("some sagas take longer than a minute");
  system.process("payment").signal(SIGSTOP);
  load.place(count - count * 2 / 3);
  std::this_thread::sleep_for(std::chrono::milliseconds(3500));  // longer than the checkout's time-out
  system.process("payment").signal(SIGCONT);
  say("payment is back; waiting until every saga has ended");
}

void print_ends(const quadrille::shop::Ends& ends) {
  std::cout << "\nSagas by end state\n  COMPLETED  " << ends.completed << "\n  CANCELLED  " << ends.cancelled() << "\n";
  for (const auto& [reason, count] : ends.cancelled_by_reason)
    std::cout << "             " << count << "  " << reason << "\n";
  std::cout << "  RUNNING    " << ends.running << "\n";
}

int demo(const std::filesystem::path& folder, const std::filesystem::path& binaries, std::size_t count,
         std::uint64_t seed) {
  auto services = quadrille::dev::shop_services(binaries);
  for (auto& service : services)
    if (service.participant == "order") service.environment["QUADRILLE_TIMEOUT"] = "GiveUp=2s";
  System system({.folder = folder, .services = services, .progress = say});
  const auto opening = quadrille::shop::usual_opening();
  quadrille::shop::open_shop(system, opening);
  say("starting order, payment, inventory, shipping");
  system.start_all();
  system.await_all_ready();
  quadrille::shop::Load load(system, opening, seed);
  run_sagas(system, load, count);
  if (!quadrille::shop::await_quiet(system, count, std::chrono::seconds(60)))
    say("some sagas are still running after a minute");
  const auto ends = quadrille::shop::ends(system);
  print_ends(ends);
  const auto violations = quadrille::shop::audit(system, opening, load.orders());
  std::cout << "\nMoney and stock\n";
  for (const auto& violation : violations) std::cout << "  VIOLATED: " << violation << "\n";
  if (violations.empty())
    std::cout << "  conserved: every cent and piece is where the confirmed orders say; nobody was charged twice;\n"
                 "  nothing is held, waiting or unpublished; no key saw its events out of order\n";
  for (const auto* reason : {"checkout timed out", "out of stock", "not enough money"}) {
    const auto saga = quadrille::shop::find_saga(system, reason);
    if (saga.empty()) continue;
    std::cout << "\nA saga that failed: " << reason << "\n" << std::flush;
    const auto command = (binaries / "quadrille").string();
    quadrille::embedded::ChildProcess replay({.arguments = {command, "replay", "--saga", saga},
                                              .environment = {{"QUADRILLE_NATS_URL", system.nats().url()}}});
    replay.wait(std::chrono::seconds(20));
    break;
  }
  const auto codes = system.stop_services();
  for (const auto& [name, code] : codes)
    if (code != 0) std::cout << "  " << name << " stopped with exit code " << code << "\n";
  return violations.empty() && ends.running == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs the reference shop on its own NATS and PostgreSQL and prints what came of it.", "shop-demo");
  app.set_version_flag("--version", quadrille::version_text("shop-demo"));
  std::size_t count = 300;
  std::uint64_t seed = 20261201;
  std::filesystem::path keep;
  app.add_option("--sagas", count, "Orders to place")->capture_default_str()->check(CLI::Range(3, 1'000'000));
  app.add_option("--seed", seed, "Of the orders drawn")->capture_default_str();
  app.add_option("--keep", keep, "Folder for logs and data, kept afterwards; default: a temporary one");
  CLI11_PARSE(app, argc, argv);
  try {
    const auto binaries = std::filesystem::canonical("/proc/self/exe").parent_path();
    if (!keep.empty()) {
      std::filesystem::create_directories(keep);
      return demo(std::filesystem::absolute(keep), binaries, count, seed);
    }
    const quadrille::embedded::TemporaryFolder temporary;
    return demo(temporary.path(), binaries, count, seed);
  } catch (const std::exception& error) {
    std::cerr << "shop-demo: " << error.what() << "\n";
    return 2;
  }
}
