#include "@participant@/@participant@_service.hpp"
#include "quadrille/quadrille.hpp"

int main(int argc, char** argv) {
  quadrille::Edge edge;
  return quadrille::run<@project@::@participant@::@Participant@Service>(argc, argv, edge);
}
