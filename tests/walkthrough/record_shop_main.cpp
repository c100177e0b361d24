#include "traffic/ndjson.hpp"
#include "walkthrough/double_void.hpp"
#include "walkthrough/recorded_shop.hpp"

#include <cstdlib>
#include <iostream>

/// `record-shop ORDERS > traffic.ndjson`: what a shop with the planted bug has recorded.
int main(int argc, char** argv) {
  shop::payment::DoubleVoidService payment;
  constexpr int usual = 1000;
  for (const auto& event : shop::record_shop(payment, argc > 1 ? std::atoi(argv[1]) : usual).events)
    std::cout << quadrille::traffic::to_ndjson(event) << "\n";
}
