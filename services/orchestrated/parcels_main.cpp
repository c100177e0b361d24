#include "orchestrated/parcels.hpp"
#include "quadrille/quadrille.hpp"

int main(int argc, char** argv) { return quadrille::run<orchestrated::parcels::ParcelsService>(argc, argv); }
