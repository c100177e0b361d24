#include "order/order_service.hpp"
#include "quadrille/quadrille.hpp"

int main(int argc, char** argv) {
  return quadrille::run<shop::order::OrderService>(argc, argv, shop::order::storefront());
}
