#include "quadrille/quadrille.hpp"
#include "walkthrough/double_void.hpp"

int main(int argc, char** argv) { return quadrille::run<shop::payment::DoubleVoidService>(argc, argv); }
