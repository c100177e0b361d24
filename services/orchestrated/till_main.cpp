#include "orchestrated/till.hpp"
#include "quadrille/quadrille.hpp"

int main(int argc, char** argv) { return quadrille::run<orchestrated::till::TillService>(argc, argv); }
