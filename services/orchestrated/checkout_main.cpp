#include "orchestrated/checkout.hpp"
#include "quadrille/quadrille.hpp"

int main(int argc, char** argv) {
  return quadrille::run<orchestrated::checkout::CheckoutService>(argc, argv, orchestrated::checkout::storefront());
}
