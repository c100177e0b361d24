#include "inventory/inventory_service.hpp"
#include "quadrille/quadrille.hpp"

int main(int argc, char** argv) { return quadrille::run<shop::inventory::InventoryService>(argc, argv); }
