#include "orchestrated/shelf.hpp"
#include "quadrille/quadrille.hpp"

int main(int argc, char** argv) { return quadrille::run<orchestrated::shelf::ShelfService>(argc, argv); }
