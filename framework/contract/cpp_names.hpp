#pragma once

#include <string>
#include <string_view>

namespace quadrille::contract {

/// GiveUp -> give_up
[[nodiscard]] std::string snake_case(const std::string& rpc);

/// What the generated C++ class calls the step of an rpc: GiveUp -> give_up, and `register_` where the plain word is
/// one of the language's or the class's own.
[[nodiscard]] std::string step_function(const std::string& rpc);

/// How C++ writes a package, or a message that is in no other: shop.order.v1.OrderPlaced ->
/// shop::order::v1::OrderPlaced.
[[nodiscard]] std::string cpp_scope(const std::string& proto_name);

/// Any text as a C++ string literal, in its quotes.
[[nodiscard]] std::string cpp_literal(std::string_view text);

}  // namespace quadrille::contract
