#include "quadrille/quadrille.hpp"
#include "shipping/shipping_service.hpp"

int main(int argc, char** argv) { return quadrille::run<shop::shipping::ShippingService>(argc, argv); }
