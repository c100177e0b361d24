// One participant of the saga that is measured, as a process of its own. bench-path starts it and says which by the
// environment.
#include "path/participants.hpp"
#include "quadrille/quadrille.hpp"

#include <cstdlib>
#include <iostream>
#include <string_view>

int main(int argc, char** argv) {
  const char* given = std::getenv("BENCH_PARTICIPANT");
  const std::string_view name = given == nullptr ? "" : given;
  if (name == "first") return quadrille::run<quadrille::bench::First>(argc, argv);
  if (name == "second") return quadrille::run<quadrille::bench::Second>(argc, argv);
  if (name == "third") return quadrille::run<quadrille::bench::Third>(argc, argv);
  std::cerr << "bench-participant: BENCH_PARTICIPANT has to be first, second or third; bench-path sets it\n";
  return 2;
}
