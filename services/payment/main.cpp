#include "payment/payment_service.hpp"
#include "quadrille/quadrille.hpp"

int main(int argc, char** argv) { return quadrille::run<shop::payment::PaymentService>(argc, argv); }
